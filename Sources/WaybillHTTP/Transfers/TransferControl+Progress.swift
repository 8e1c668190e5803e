extension TransferControl {
    /// The progress of the calls of this handle, while they are made.
    ///
    /// ```swift
    /// let control = TransferControl()
    /// async let item = shop.upload(photo, title: "Dawn").send(controlledBy: control)
    /// for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
    /// ```
    ///
    /// The sequence has the newest value only: a slow loop misses the ones between, and never slows down a transfer. It
    /// ends when the call has ended, with a value or with an error, and at once if that was before; it waits for a call
    /// that has not begun. Any number of loops may read it, each with all that is new to it.
    ///
    /// Give a handle of its own to each call whose progress is read: of several at once, the newest value is that of
    /// any of them. A response from a cache has no progress, and neither has a transport that does not count.
    public var progress: ProgressSequence { ProgressSequence(control: self) }

    /// The progress of the calls of a handle, newest value only.
    public struct ProgressSequence: AsyncSequence, Sendable {
        /// The progress of a call.
        public typealias Element = TransferControl.Progress
        /// No error: the call has its own.
        public typealias Failure = Never

        let control: TransferControl

        /// Starts reading.
        public func makeAsyncIterator() -> Iterator { Iterator(control: control) }

        /// An iterator over the progress, value by value.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            let control: TransferControl
            private var version = 0

            init(control: TransferControl) { self.control = control }

            /// Waits for a value that is newer than the last one; nil if the call has ended, or the task is cancelled.
            public mutating func next() async -> TransferControl.Progress? {
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

        var newest: TransferControl.Progress?
        /// The number of bytes that the server of a resumable upload has acknowledged.
        var acknowledged: Int?
        /// The number of values so far.
        var version = 0
        var callsInProgress = 0
        var hasBegun = false
        /// The continuations by their numbers.
        var waiters: [Int: Waiter] = [:]
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
    }

    /// Changes the progress, and resumes the continuations if the closure returns that there is something new.
    private func update(_ change: (inout ProgressState) -> Bool) {
        let waiters = withProgress { change(&$0) ? $0.takeWaiters() : [] }
        for waiter in waiters { waiter.resume() }
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
        update { progress in
            progress.callsInProgress -= 1
            return progress.isOver
        }
    }

    /// Stores a new value, which is made while no other thread makes one.
    func publish(_ value: () -> TransferControl.Progress) {
        update { progress in
            progress.newest = value()
            progress.newest?.bytesAcknowledged = progress.acknowledged
            progress.version += 1
            return true
        }
    }

    /// Records the number of bytes that the server of a resumable upload has acknowledged.
    package func acknowledge(_ bytes: Int) {
        update { progress in
            progress.acknowledged = bytes
            guard progress.newest != nil else { return false }
            progress.newest?.bytesAcknowledged = bytes
            progress.version += 1
            return true
        }
    }

    /// Waits for a value that is newer than a version; nil if the calls have ended, or the task is cancelled.
    fileprivate func progress(after version: Int) async -> (TransferControl.Progress, Int)? {
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
                        progress.waiters[id] = waiter
                        return true
                    }
                    if !mustWait { waiter.resume() }
                }
            } onCancel: {
                withProgress { $0.waiters.removeValue(forKey: id) }?.resume()
            }
        }
        return nil
    }
}

extension TransferControl {
    /// The progress of a call: the number of bytes that have been sent and received, and those that are expected.
    ///
    /// ```swift
    /// for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
    /// ```
    public struct Progress: Sendable, Hashable {
        /// The number of the attempt, counted from 1.
        public let attempt: Int

        /// The number of bytes of the request's body that the transport has taken for the connection.
        ///
        /// A retry and a redirect send the body again, from its start. A resumable upload sends only what the server
        /// does not have yet, and counts what it has.
        public package(set) var bytesSent = 0

        /// The number of bytes of the request's body; nil if it is not known.
        public let bytesExpectedToSend: Int?

        /// The number of bytes of a resumable upload that the server has acknowledged, and that are not sent again.
        ///
        /// Nil for any other call, and as long as the server has not said that it takes the upload.
        public internal(set) var bytesAcknowledged: Int?

        /// The number of bytes of the response's body that have arrived.
        public package(set) var bytesReceived = 0

        /// The number of bytes of the response's body; nil if it is not known, as before the head has arrived and if
        /// the body has a content coding.
        public package(set) var bytesExpectedToReceive: Int?

        package init(attempt: Int, bytesExpectedToSend: Int?) {
            self.attempt = attempt
            self.bytesExpectedToSend = bytesExpectedToSend
        }

        /// The part of the request's body that has been sent, from 0 to 1; nil if its length is not known.
        ///
        /// Without a body it is 1.
        public var fractionSent: Double? { Self.fraction(bytesSent, of: bytesExpectedToSend) }

        /// The part of a resumable upload that the server has acknowledged, from 0 to 1; nil for any other call.
        public var fractionAcknowledged: Double? {
            bytesAcknowledged.flatMap { Self.fraction($0, of: bytesExpectedToSend) }
        }

        /// The part of the response's body that has arrived, from 0 to 1; nil if its length is not known.
        ///
        /// Of an empty body it is 1.
        public var fractionReceived: Double? { Self.fraction(bytesReceived, of: bytesExpectedToReceive) }

        private static func fraction(_ count: Int, of total: Int?) -> Double? {
            total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
        }
    }
}
