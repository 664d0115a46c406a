#pragma once

// System calls that Swift's module of the C library leaves out on Linux.
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/xattr.h>
#include <time.h>

// The header hides it unless a macro is set that would have to be set for every header.
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

// The header hides it unless a macro is set that would have to be set for every header.
int renameat2(int, const char *, int, const char *, unsigned int);

// Macros that Swift does not import: RENAME_NOREPLACE, RENAME_EXCHANGE, UTIME_OMIT and SEEK_DATA of the
// kernel's headers.
static const unsigned int LINUX_RENAME_NOREPLACE = 1;
static const unsigned int LINUX_RENAME_EXCHANGE = 2;
static const long LINUX_UTIME_OMIT = (1l << 30) - 2l;
static const int LINUX_SEEK_DATA = 3;
