#ifndef COLORLOOM_CLIBPNG_SHIM_H
#define COLORLOOM_CLIBPNG_SHIM_H

#include <png.h>
#include <zlib.h>

#endif
