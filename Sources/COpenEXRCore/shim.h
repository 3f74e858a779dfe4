#ifndef COLORLOOM_COPENEXRCORE_SHIM_H
#define COLORLOOM_COPENEXRCORE_SHIM_H

#include <OpenEXR/openexr.h>

#endif
