/// A counter of the bytes of one transfer, for the progress of its handle.
///
/// `@unchecked Sendable`: `progress` and `hasEnded` are only touched while the lock of the handle is held.
package final class TransferCounter: @unchecked Sendable {
    private let control: TransferControl
    private var progress: TransferProgress
    /// The number of bytes of an upload before those of this request.
    private let offset: Int
    private let isOver = Locked(false)

    private init(_ request: HTTPRequest, _ control: TransferControl) {
        self.control = control
        let length = request.uploadPart?.length ?? (request.body == nil ? 0 : request.body?.length)
        offset = request.uploadPart?.offset ?? 0
        progress = TransferProgress(attempt: request.attempt, bytesExpectedToSend: length)
        progress.bytesSent = offset
        control.begin()
        count { _ in }
    }

    /// Creates a counter for a request; nil if it has no handle, and nothing is counted.
    package static func counter(for request: HTTPRequest) -> TransferCounter? {
        request.control.map { TransferCounter(request, $0) }
    }

    deinit { end() }

    /// Adds bytes of the request's body.
    package func send(_ bytes: Int) { count { $0.bytesSent += bytes } }

    /// Sets the number of bytes of the request's body that have been sent.
    package func setSent(_ bytes: Int) { count { $0.bytesSent = offset + bytes } }

    /// Sets the length of the response's body; nil if it is not known.
    package func expect(_ bytes: Int?) { count { $0.bytesExpectedToReceive = bytes } }

    /// Adds bytes of the response's body.
    package func receive(_ bytes: Int) { count { $0.bytesReceived += bytes } }

    /// Ends the transfer, unless it has ended.
    package func end() {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        if !wasOver { control.end() }
    }

    private func count(_ change: (inout TransferProgress) -> Void) {
        control.publish {
            change(&progress)
            return progress
        }
    }
}
