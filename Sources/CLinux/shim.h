#pragma once

// System calls that Swift's module of the C library leaves out on Linux.
#include <linux/membarrier.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

// Their headers hide them unless a macro is set that would have to be set for every header.
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
int renameat2(int, const char *, int, const char *, unsigned int);
int sync_file_range(int, int64_t, int64_t, unsigned int);

// Macros that Swift does not import: RENAME_NOREPLACE, RENAME_EXCHANGE, UTIME_OMIT, SEEK_DATA,
// F_OFD_SETLK and SYNC_FILE_RANGE_WRITE of the kernel's headers.
static const unsigned int LINUX_RENAME_NOREPLACE = 1;
static const unsigned int LINUX_RENAME_EXCHANGE = 2;
static const long LINUX_UTIME_OMIT = (1l << 30) - 2l;
static const int LINUX_SEEK_DATA = 3;
static const int LINUX_OFD_SETLK = 37;
static const unsigned int LINUX_SYNC_FILE_RANGE_WRITE = 2;

// The C library has no function for membarrier(2).
static inline bool linux_register_process_barrier(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// The slow barrier needs no memory and no registration.
static inline bool linux_process_barrier(void) {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0 ||
         syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0;
}

// Swift has no fence for the compiler alone.
static inline void linux_order_thread(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
