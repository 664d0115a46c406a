#include "allocations.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_bool is_counting;
static atomic_uint_fast64_t count;

void allocations_begin(void) {
  atomic_store(&count, 0);
  atomic_store(&is_counting, true);
}

uint64_t allocations_end(void) {
  atomic_store(&is_counting, false);
  return atomic_load(&count);
}

#if defined(__GLIBC__)

bool allocations_can_be_counted(void) { return true; }

// The program's own malloc comes before the C library's for every library it loads. glibc keeps
// these second names for its own, so nothing has to be looked up while the program starts.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// While times are taken nothing is counted, and this is one load and a branch.
static inline void note(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  note();
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  note();
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *block = found;
  return 0;
}

#else

bool allocations_can_be_counted(void) { return false; }

#endif
