#ifndef COLORLOOM_CLIBJPEG_SHIM_H
#define COLORLOOM_CLIBJPEG_SHIM_H

#include <stdio.h>
// After stdio.h, on which both depend.
#include <jpeglib.h>
#include <jerror.h>

#endif
