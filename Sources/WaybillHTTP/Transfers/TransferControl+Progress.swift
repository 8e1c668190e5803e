extension TransferControl {
    /// The progress of the calls of this handle, while they are made.
    ///
    /// ```swift
    /// let control = TransferControl()
    /// async let item = shop.upload(photo, title: "Dawn").send(controlledBy: control)
    /// for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
    /// ```
    ///
    /// The sequence has the newest value only: a loop that is slow misses the ones between, and never slows down a
    /// transfer. It ends when the call has ended, with a value or with an error, and at once if that was before; it
    /// waits for a call that has not begun. Any number of loops may read it, each with all that is new to it.
    ///
    /// Give a handle of its own to each call whose progress is read: of several at once, the newest value is that of
    /// any of them. A response from a cache has no progress, and neither has a transport that does not count.
    public var progress: ProgressSequence { ProgressSequence(control: self) }

    /// The progress of the calls of a handle, newest value only.
    public struct ProgressSequence: AsyncSequence, Sendable {
        /// The progress of a call.
        public typealias Element = TransferProgress
        /// No error: the call has its own.
        public typealias Failure = Never

        let control: TransferControl

        /// Starts reading.
        public func makeAsyncIterator() -> Iterator { Iterator(control: control) }

        /// Reads the progress, value by value.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            let control: TransferControl
            private var version = 0

            init(control: TransferControl) { self.control = control }

            /// Waits for a value that is newer than the last one; nil if the call has ended, or the task is cancelled.
            public mutating func next() async -> TransferProgress? {
                guard let (progress, version) = await control.progress(after: version) else { return nil }
                self.version = version
                return progress
            }
        }
    }
}

extension TransferControl {
    /// The progress of the calls of a handle, and the continuations that wait for more of it.
    struct ProgressState {
        typealias Waiter = CheckedContinuation<Void, Never>

        var newest: TransferProgress?
        /// The number of bytes that the server of a resumable upload has acknowledged.
        var acknowledged: Int?
        /// The number of values so far.
        var version = 0
        var callsInProgress = 0
        var hasBegun = false
        private var waiters: [Int: Waiter] = [:]
        private var nextWaiter = 0

        /// Whether the calls have ended.
        var isOver: Bool { hasBegun && callsInProgress == 0 }

        mutating func takeWaiters() -> [Waiter] {
            // As a rule no loop waits: nothing is allocated.
            if waiters.isEmpty { return [] }
            defer { waiters = [:] }
            return Array(waiters.values)
        }

        mutating func makeID() -> Int {
            defer { nextWaiter += 1 }
            return nextWaiter
        }

        mutating func wait(_ waiter: Waiter, id: Int) { waiters[id] = waiter }

        mutating func takeWaiter(_ id: Int) -> Waiter? { waiters.removeValue(forKey: id) }
    }

    /// Records that a call, or a transfer on its own, has begun.
    package func begin() {
        withProgress { progress in
            if progress.callsInProgress == 0 { (progress.newest, progress.acknowledged) = (nil, nil) }
            progress.hasBegun = true
            progress.callsInProgress += 1
        }
    }

    /// Records that a call, or a transfer on its own, has ended.
    package func end() {
        let waiters = withProgress { progress in
            progress.callsInProgress -= 1
            return progress.isOver ? progress.takeWaiters() : []
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Stores a new value, which is made while no other thread makes one.
    func publish(_ value: () -> TransferProgress) {
        let waiters = withProgress { progress in
            progress.newest = value()
            progress.newest?.bytesAcknowledged = progress.acknowledged
            progress.version += 1
            return progress.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Records the number of bytes that the server of a resumable upload has acknowledged.
    package func acknowledge(_ bytes: Int) {
        let waiters = withProgress { progress in
            progress.acknowledged = bytes
            guard progress.newest != nil else { return [ProgressState.Waiter]() }
            progress.newest?.bytesAcknowledged = bytes
            progress.version += 1
            return progress.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits for a value that is newer than a version; nil if the calls have ended, or the task is cancelled.
    fileprivate func progress(after version: Int) async -> (TransferProgress, Int)? {
        while !Task.isCancelled {
            let (newest, isOver, id) = withProgress { progress in
                (
                    progress.version > version ? progress.newest.map { ($0, progress.version) } : nil,
                    progress.isOver, progress.makeID()
                )
            }
            if let newest { return newest }
            if isOver { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { (waiter: ProgressState.Waiter) in
                    let mustWait = withProgress { progress in
                        let isNew = progress.version > version && progress.newest != nil
                        guard !isNew, !progress.isOver, !Task.isCancelled else { return false }
                        progress.wait(waiter, id: id)
                        return true
                    }
                    if !mustWait { waiter.resume() }
                }
            } onCancel: {
                withProgress { $0.takeWaiter(id) }?.resume()
            }
        }
        return nil
    }
}
