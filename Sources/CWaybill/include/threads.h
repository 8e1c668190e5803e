#ifndef WAYBILL_THREADS_H
#define WAYBILL_THREADS_H

/// Starts a detached thread.
///
/// `name` has at most 15 characters. `run` is called with `context` on the new thread. Returns 0 on success, otherwise
/// an `errno`.
int waybill_thread_start(const char *_Nonnull name, void (*_Nonnull run)(void *_Nullable context),
                         void *_Nullable context);

#endif
