#pragma once

// System calls that Swift's module of the C library leaves out on Linux.
#include <sys/xattr.h>
