#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define ALLOCATOR_IS_REPLACED 1
#endif
#endif

static atomic_bool is_counting;
static atomic_uint_fast64_t count;
static atomic_uint_fast64_t bytes;
static atomic_int_fast64_t live;
static atomic_int_fast64_t peak;

// Relaxed: the counts order nothing, and they are read after the counted work has ended.
static inline void note(size_t size) {
    if (!atomic_load_explicit(&is_counting, memory_order_relaxed)) return;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

#if defined(__GLIBC__) && !defined(ALLOCATOR_IS_REPLACED)

// The names under which the C library exports its own allocator, for programs that replace `malloc`.
extern void __libc_free(void *block);
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static inline bool counts(void) { return atomic_load_explicit(&is_counting, memory_order_relaxed); }

static inline void *add(void *block) {
    if (!counts() || block == NULL) return block;
    int_fast64_t size = (int_fast64_t)malloc_usable_size(block);
    int_fast64_t now = atomic_fetch_add_explicit(&live, size, memory_order_relaxed) + size;
    int_fast64_t most = atomic_load_explicit(&peak, memory_order_relaxed);
    while (now > most && !atomic_compare_exchange_weak(&peak, &most, now)) {}
    return block;
}

static inline void subtract(void *block) {
    if (!counts() || block == NULL) return;
    atomic_fetch_sub_explicit(&live, (int_fast64_t)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) {
    note(size);
    return add(__libc_malloc(size));
}

void *calloc(size_t number, size_t size) {
    note(number * size);
    return add(__libc_calloc(number, size));
}

// A block that moves is counted once, as the library moves large ones without a copy.
void *realloc(void *block, size_t size) {
    note(size);
    subtract(block);
    return add(__libc_realloc(block, size));
}

void *memalign(size_t alignment, size_t size) {
    note(size);
    return add(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(size);
    return add(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    note(size);
    void *aligned = add(__libc_memalign(alignment, size));
    if (aligned == NULL) return ENOMEM;
    *block = aligned;
    return 0;
}

void free(void *block) {
    subtract(block);
    __libc_free(block);
}

static void switch_counting(bool on) { atomic_store(&is_counting, on); }

bool allocation_counter_is_available(void) { return true; }

bool allocation_counter_knows_peak(void) { return true; }

#elif defined(__APPLE__) && !defined(ALLOCATOR_IS_REPLACED)

// libmalloc calls this hook, if it is set, for every event; see `stack_logging.h` in its sources.
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

bool allocation_counter_knows_peak(void) { return false; }

#else

static void switch_counting(bool on) { (void)on; }

bool allocation_counter_is_available(void) { return false; }

bool allocation_counter_knows_peak(void) { return false; }

#endif

void allocation_counter_start(void) {
    atomic_store(&count, 0);
    atomic_store(&bytes, 0);
    atomic_store(&live, 0);
    atomic_store(&peak, 0);
    switch_counting(true);
}

allocation_counter_total allocation_counter_stop(void) {
    switch_counting(false);
    allocation_counter_total total = {atomic_load(&count), atomic_load(&bytes), (uint64_t)atomic_load(&peak), atomic_load(&live)};
    return total;
}
