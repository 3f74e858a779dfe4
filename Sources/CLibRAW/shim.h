#ifndef COLORLOOM_CLIBRAW_SHIM_H
#define COLORLOOM_CLIBRAW_SHIM_H

#include <libraw/libraw.h>

#endif
