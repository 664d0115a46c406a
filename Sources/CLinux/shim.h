#pragma once

// System calls that Swift's module of the C library leaves out on Linux.
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/xattr.h>
#include <time.h>

// The header hides it unless a macro is set that would have to be set for every header.
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
