#ifndef COLORLOOM_CLIBHEIF_SHIM_H
#define COLORLOOM_CLIBHEIF_SHIM_H

#include <libheif/heif.h>

#endif
