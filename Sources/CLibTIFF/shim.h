#ifndef COLORLOOM_CLIBTIFF_SHIM_H
#define COLORLOOM_CLIBTIFF_SHIM_H

#include <tiffio.h>

#endif
