import WaybillSystem

/// A waiting write.
protocol PendingWrite: AnyObject, Sendable {
    /// Executes the write in a transaction.
    func run(in transaction: Transaction) throws(StoreError)
    /// Ends the write with its result, or with an error if nothing was written.
    func finish(_ error: StoreError?)
}

/// A closure to call with a connection, and the continuation of the caller that awaits its result.
///
/// `@unchecked Sendable`: the result is only used on the queue of the connection.
final class PendingWork<Value: Sendable, Argument>: @unchecked Sendable {
    typealias Body = @Sendable (Argument) throws(StoreError) -> Value

    private let body: Body
    private let continuation: CheckedContinuation<Result<Value, StoreError>, Never>
    private var value: Value?

    private init(_ body: @escaping Body, _ continuation: CheckedContinuation<Result<Value, StoreError>, Never>) {
        self.body = body
        self.continuation = continuation
    }

    /// Starts work, and waits for its result.
    ///
    /// - Parameters:
    ///   - body: the work.
    ///   - start: adds the work to a queue.
    /// - Returns: the result of the closure.
    /// - Throws: ``StoreError``.
    static func result(
        of body: @escaping Body,
        start: (PendingWork) -> Void
    ) async throws(StoreError) -> Value {
        try await withCheckedContinuation { start(PendingWork(body, $0)) }.get()
    }

    /// Does the work.
    ///
    /// Call this method only once.
    func run(_ argument: Argument) throws(StoreError) { value = try body(argument) }

    /// Resumes the caller with the result of ``run(_:)``, or with an error.
    ///
    /// Call this method only once.
    func finish(_ error: StoreError?) {
        if let error {
            continuation.resume(returning: .failure(error))
        } else if let value {
            continuation.resume(returning: .success(value))
        }
    }
}

extension PendingWork: PendingWrite where Argument == Transaction {
    func run(in transaction: Transaction) throws(StoreError) { try run(transaction) }
}
