extension TransferControl {
    /// The progress of the calls that use this handle.
    ///
    /// ```swift
    /// let control = TransferControl()
    /// async let item = shop.upload(photo, title: "Dawn").send(controlledBy: control)
    /// for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
    /// ```
    ///
    /// The sequence keeps only the newest value: a slow loop misses intermediate values but never slows down a
    /// transfer. A loop that starts before the call waits for it, and ends when the call succeeds or fails. If the call
    /// has already ended, a new loop receives only the last value. Any number of loops can read the sequence
    /// independently.
    ///
    /// Use a separate handle for each call: if calls share a handle, the newest value can come from any of them.
    /// Responses from a cache and transports that do not count bytes report no progress.
    public var progress: ProgressSequence { ProgressSequence(control: self) }

    /// A sequence of a handle's progress values that keeps only the newest one.
    public struct ProgressSequence: AsyncSequence, Sendable {
        /// The progress of a call.
        public typealias Element = TransferControl.Progress
        /// The sequence never throws; errors are thrown by the call.
        public typealias Failure = Never

        let control: TransferControl

        /// Creates an iterator over the progress values.
        ///
        /// - Returns: the iterator.
        public func makeAsyncIterator() -> Iterator { Iterator(control: control) }

        /// An iterator over progress values.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            let control: TransferControl
            private var version = 0

            init(control: TransferControl) { self.control = control }

            /// Waits for a value newer than the last one.
            ///
            /// - Returns: the value; nil if the call has ended or the task is cancelled.
            public mutating func next() async -> TransferControl.Progress? {
                guard let (progress, version) = await control.progress(after: version) else { return nil }
                self.version = version
                return progress
            }
        }
    }
}

extension TransferControl {
    /// The progress of a handle's calls, and the readers waiting for changes.
    struct ProgressState {
        var newest: TransferControl.Progress?
        /// The number of bytes that the server of a resumable upload has acknowledged.
        var acknowledged: Int?
        /// The number of values published so far.
        var version = 0
        var callsInProgress = 0
        var hasBegun = false
        /// The readers waiting for a new value.
        var waiters = Waiters<Void>()

        /// Whether all calls have ended.
        var isOver: Bool { hasBegun && callsInProgress == 0 }

        /// Returns the newest value and its version; nil if the version is not later than the given one.
        func newest(after version: Int) -> (TransferControl.Progress, Int)? {
            self.version > version ? newest.map { ($0, self.version) } : nil
        }
    }

    /// Changes the progress and, if the closure returns true, resumes the waiting readers.
    private func update(_ change: (inout ProgressState) -> Bool) {
        let waiters = withProgress { change(&$0) ? $0.waiters.removeAll() : [] }
        for waiter in waiters { waiter.resume(returning: ()) }
    }

    /// Records the start of a call, or of a transfer outside a call.
    package func begin() {
        withProgress { progress in
            if progress.callsInProgress == 0 { (progress.newest, progress.acknowledged) = (nil, nil) }
            progress.hasBegun = true
            progress.callsInProgress += 1
        }
    }

    /// Records the end of a call, or of a transfer outside a call.
    package func end() {
        update { progress in
            progress.callsInProgress -= 1
            return progress.isOver
        }
    }

    /// Publishes a new value, which is computed while the lock is held.
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

    /// Waits for a value newer than the given version; returns nil if the calls have ended or the task is cancelled.
    fileprivate func progress(after version: Int) async -> (TransferControl.Progress, Int)? {
        while !Task.isCancelled {
            let (newest, isOver) = withProgress { ($0.newest(after: version), $0.isOver) }
            if let newest { return newest }
            if isOver { return nil }
            await state.wait(cancelled: ()) { state, waiter in
                if state.progress.newest(after: version) != nil || state.progress.isOver { return () }
                state.progress.waiters.add(waiter)
                return nil
            } removing: { state, id in
                state.progress.waiters.remove(id)
            }
        }
        return nil
    }
}

extension TransferControl {
    /// The progress of a call: the bytes sent and received so far, and the expected totals.
    ///
    /// ```swift
    /// for await progress in control.progress { bar.update(progress.fractionSent ?? 0) }
    /// ```
    public struct Progress: Sendable, Hashable {
        /// The attempt number, starting at 1.
        public let attempt: Int

        /// The number of request body bytes handed to the connection.
        ///
        /// Retries and redirects restart the count. A resumable upload sends only the bytes that the server does not
        /// have yet, but also counts those that it already has.
        public package(set) var bytesSent = 0

        /// The length of the request body, in bytes; nil if unknown.
        public let bytesExpectedToSend: Int?

        /// The number of bytes of a resumable upload that the server has acknowledged, which are not sent again.
        ///
        /// Nil for any other call, and until the server has accepted the upload.
        public internal(set) var bytesAcknowledged: Int?

        /// The number of response body bytes received.
        public package(set) var bytesReceived = 0

        /// The length of the response body, in bytes; nil if unknown.
        ///
        /// It is unknown before the head arrives and if the body has a content coding.
        public package(set) var bytesExpectedToReceive: Int?

        package init(attempt: Int, bytesExpectedToSend: Int?) {
            self.attempt = attempt
            self.bytesExpectedToSend = bytesExpectedToSend
        }

        /// The fraction of the request body sent so far, from 0 to 1; nil if the length is unknown.
        ///
        /// For a request without a body, the fraction is 1.
        public var fractionSent: Double? { Self.fraction(bytesSent, of: bytesExpectedToSend) }

        /// The fraction of a resumable upload acknowledged by the server, from 0 to 1; nil for any other call.
        public var fractionAcknowledged: Double? {
            bytesAcknowledged.flatMap { Self.fraction($0, of: bytesExpectedToSend) }
        }

        /// The fraction of the response body received so far, from 0 to 1; nil if the length is unknown.
        ///
        /// For an empty body, the fraction is 1.
        public var fractionReceived: Double? { Self.fraction(bytesReceived, of: bytesExpectedToReceive) }

        private static func fraction(_ count: Int, of total: Int?) -> Double? {
            total.map { $0 > 0 ? min(1, Double(count) / Double($0)) : 1 }
        }
    }
}
