#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Counts the heap allocations of the whole process, every thread's, while counting is switched on.
///
/// On Linux with glibc, `malloc`, `free` and their kin are defined here and call the C library's own; the executable that links
/// this target has them instead of the library's. On Darwin, the allocator's logging hook is used. Elsewhere, and under
/// a sanitizer that has an allocator of its own, nothing is counted.

/// What was allocated.
typedef struct {
    /// The number of blocks; a block that `realloc` resizes counts again.
    uint64_t count;
    /// The bytes that were asked for.
    uint64_t bytes;
    /// How many bytes there were at most above what there was when counting was switched on, with what the allocator
    /// rounds up; 0 where that is not known.
    uint64_t peak;
    /// How many bytes there are above what there was then, in the same way; negative where older blocks were freed.
    int64_t rest;
} allocation_counter_total;

/// Whether allocations can be counted here.
bool allocation_counter_is_available(void);

/// Whether the peak and the rest are known here: only on Linux, as the hook of Darwin does not tell how large a resized block was.
bool allocation_counter_knows_peak(void);

/// Switches counting on, from zero.
void allocation_counter_start(void);

/// Switches counting off, and returns what was allocated since it was switched on; zeros where nothing is counted.
allocation_counter_total allocation_counter_stop(void);

#endif
