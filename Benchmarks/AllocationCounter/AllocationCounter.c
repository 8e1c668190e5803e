#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ALLOCATOR_IS_REPLACED 1
#endif
#endif

static atomic_bool is_counting;
static atomic_uint_fast64_t count;
static atomic_uint_fast64_t bytes;

// Relaxed: the counts order nothing, and they are read when the work that they are about has ended.
static inline void note(size_t size) {
    if (!atomic_load_explicit(&is_counting, memory_order_relaxed)) return;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

#if defined(__GLIBC__) && !defined(ALLOCATOR_IS_REPLACED)

// What the C library calls its own allocator, so that a program can stand in front of it. `free` and the rest are left
// alone: every block is one of the library's.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    note(size);
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    note(size);
    void *aligned = __libc_memalign(alignment, size);
    if (aligned == NULL) return ENOMEM;
    *block = aligned;
    return 0;
}

static void switch_counting(bool on) { atomic_store(&is_counting, on); }

bool allocation_counter_is_available(void) { return true; }

#elif defined(__APPLE__) && !defined(ALLOCATOR_IS_REPLACED)

// libmalloc calls this hook, where it is set, for every event; see `stack_logging.h` in its sources.
typedef void(malloc_logger_t)(
    uint32_t type, uintptr_t zone, uintptr_t second, uintptr_t third, uintptr_t result, uint32_t frames);
extern malloc_logger_t *malloc_logger;

enum { logged_allocation = 2, logged_deallocation = 4 };

static void log_event(
    uint32_t type, uintptr_t zone, uintptr_t second, uintptr_t third, uintptr_t result, uint32_t frames
) {
    (void)zone;
    (void)result;
    (void)frames;
    if (!(type & logged_allocation)) return;
    // A `realloc` is both, and has the old block in front of the size.
    note((size_t)(type & logged_deallocation ? third : second));
}

static void switch_counting(bool on) {
    atomic_store(&is_counting, on);
    malloc_logger = on ? log_event : NULL;
}

bool allocation_counter_is_available(void) { return true; }

#else

static void switch_counting(bool on) { (void)on; }

bool allocation_counter_is_available(void) { return false; }

#endif

void allocation_counter_start(void) {
    atomic_store(&count, 0);
    atomic_store(&bytes, 0);
    switch_counting(true);
}

allocation_counter_total allocation_counter_stop(void) {
    switch_counting(false);
    allocation_counter_total total = {atomic_load(&count), atomic_load(&bytes)};
    return total;
}
