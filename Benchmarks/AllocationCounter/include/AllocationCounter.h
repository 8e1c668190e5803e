#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Counts the heap allocations of all threads of the process while counting is switched on.
///
/// On Linux with glibc, this target defines `malloc`, `free` and the related functions, which call the C library's own;
/// they replace the library's in an executable that links this target. On Darwin, it uses the allocator's logging hook.
/// On other systems, and under a sanitizer that has an allocator of its own, nothing is counted.

/// The totals of the counted allocations.
typedef struct {
    /// The number of blocks; a block that `realloc` resizes counts again.
    uint64_t count;
    /// The number of requested bytes.
    uint64_t bytes;
    /// The largest number of allocated bytes above that at the start of counting, as the allocator rounds them up;
    /// 0 if it is not known.
    uint64_t peak;
    /// The number of allocated bytes at the end above that at the start, rounded up likewise; negative if older blocks
    /// were freed.
    int64_t rest;
} allocation_counter_total;

/// Whether allocations can be counted here.
bool allocation_counter_is_available(void);

/// Whether the peak and the rest are known here: only on Linux, as the hook of Darwin does not give the old size of a
/// resized block.
bool allocation_counter_knows_peak(void);

/// Switches counting on, from zero.
void allocation_counter_start(void);

/// Switches counting off, and returns the totals since it was switched on; zeros if nothing is counted.
allocation_counter_total allocation_counter_stop(void);

#endif
