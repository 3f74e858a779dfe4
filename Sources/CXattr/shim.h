// Extended attributes, in which Linux keeps access control lists. The Glibc module leaves them out.

#ifndef COLORLOOM_CXATTR_SHIM_H
#define COLORLOOM_CXATTR_SHIM_H

#include <sys/xattr.h>

#endif
