#ifndef COLORLOOM_CLITTLECMS_SHIM_H
#define COLORLOOM_CLITTLECMS_SHIM_H

#include <lcms2.h>
#include <lcms2_plugin.h>
#include <stdlib.h>

#endif
