// Tells the thread sanitizer about those parts of Swift's Mutex that are in the library of the toolchain, which is built without it: a thread
// that waited for a lock, or gives it to one that waits. Built and preloaded by `release`; without the sanitizer it changes nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_TO_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock(uint32_t thread, SELF) {
  SWIFT void (*const original)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  original(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_to_lock(SELF) __asm__(TRY_TO_LOCK);
SWIFT bool try_to_lock(SELF) {
  SWIFT bool (*const original)(SELF) = dlsym(RTLD_NEXT, TRY_TO_LOCK);
  const bool is_locked = original(self);
  if (is_locked && __tsan_acquire) __tsan_acquire(self);
  return is_locked;
}

SWIFT void unlock(SELF) __asm__(UNLOCK);
SWIFT void unlock(SELF) {
  SWIFT void (*const original)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(self);
  original(self);
}
