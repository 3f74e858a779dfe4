#ifndef COLORLOOM_CLITTLECMS_SHIM_H
#define COLORLOOM_CLITTLECMS_SHIM_H

#include <lcms2.h>

#endif
