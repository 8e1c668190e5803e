#if !canImport(Darwin) && !canImport(Glibc) && !canImport(Musl) && !canImport(Android)
    import Synchronization
#endif

/// A lock that one thread at a time holds; it is not recursive.
///
/// It is a mutex of the system, because the thread sanitizer does not see into the one of the standard library. Where
/// there are no POSIX threads it is that one.
@usableFromInline
package struct Lock: ~Copyable, @unchecked Sendable {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
        // A mutex may not move.
        private let mutex: UnsafeMutablePointer<pthread_mutex_t>

        package init() {
            mutex = .allocate(capacity: 1)
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deinitialize(count: 1)
            mutex.deallocate()
        }

        /// Waits until no other thread holds the lock, and takes it.
        @usableFromInline
        package func lock() { pthread_mutex_lock(mutex) }

        /// Takes the lock unless a thread holds it.
        ///
        /// - Returns: whether the lock was taken.
        package func lockIfAvailable() -> Bool { pthread_mutex_trylock(mutex) == 0 }

        /// Gives the lock back.
        @usableFromInline
        package func unlock() { pthread_mutex_unlock(mutex) }
    #else
        private let mutex = Mutex<Void>(())

        package init() {}

        /// Waits until no other thread holds the lock, and takes it.
        @usableFromInline
        package func lock() { mutex._unsafeLock() }

        /// Takes the lock unless a thread holds it.
        ///
        /// - Returns: whether the lock was taken.
        package func lockIfAvailable() -> Bool { mutex._unsafeTryLock() }

        /// Gives the lock back.
        @usableFromInline
        package func unlock() { mutex._unsafeUnlock() }
    #endif

    /// Calls a closure while the lock is held; the closure must not call code of a caller.
    @inlinable
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
