#ifndef COLORLOOM_CWEBP_SHIM_H
#define COLORLOOM_CWEBP_SHIM_H

#include <webp/decode.h>
#include <webp/encode.h>

#endif
