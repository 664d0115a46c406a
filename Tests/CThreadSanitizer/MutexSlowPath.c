// Thread Sanitizer sees only code that was compiled with it. A free `Mutex` is acquired in our own
// code, which it sees; a contended one is acquired in the toolchain's library, which it does not
// see, so it reports a race between two threads that hold the lock one after the other (Swift 6.3.1
// on Linux). In sanitizer runs this definition replaces the library's: it spins in instrumented
// code. Delete it when MutexConcurrencyTests passes without it.

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

// Synchronization._MutexHandle._lockSlow(UInt32), with the lock's word as its self.
__attribute__((swiftcall)) void holdfast_wait_for_mutex(
    uint32_t thread, __attribute__((swift_context)) _Atomic(uint32_t) *owner)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void holdfast_wait_for_mutex(
    uint32_t thread, __attribute__((swift_context)) _Atomic(uint32_t) *owner) {
  uint32_t nobody = 0;
  while (!atomic_compare_exchange_weak_explicit(
      owner, &nobody, thread, memory_order_acquire, memory_order_relaxed)) {
    nobody = 0;
    sched_yield();
  }
}

#endif
#endif
