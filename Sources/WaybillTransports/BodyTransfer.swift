import WaybillHTTP
import WaybillSystem

/// A transfer whose body can be read while it arrives.
package protocol BodyTransfer: AnyObject, Sendable {
    /// Waits for a part of the body.
    ///
    /// - Returns: all unread chunks that have arrived; empty at the end.
    /// - Throws: `TransportError` if the transfer has failed.
    func chunks() async throws(TransportError) -> [Data]

    /// Ends the transfer with an error, unless it has ended.
    func stop(_ error: TransportError)

    /// Stops the transfer when nothing can read its body any more, unless the whole body has arrived.
    func abandon()
}

extension BodyTransfer {
    /// Waits for a result of the transfer; cancellation of the task stops the transfer.
    ///
    /// - Parameter read: returns the result if there is one; otherwise stores the continuation, for the event that
    ///   brings the result.
    /// - Returns: the value of the result.
    /// - Throws: the error of the result.
    package func result<Value: Sendable>(
        _ read: (CheckedContinuation<Result<Value, TransportError>, Never>) -> Result<Value, TransportError>?
    ) async throws(TransportError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let result = read(continuation) { continuation.resume(returning: result) }
            }
        } onCancel: {
            stop(TransportError(.cancelled))
        }
        return try result.get()
    }
}
