import WaybillSystem

/// A write that waits for its turn.
protocol PendingWrite: AnyObject, Sendable {
    /// Does the write in a transaction.
    func run(in transaction: Transaction) throws(StoreError)
    /// Ends the write: with its result, or with an error if nothing of it is in the database.
    func finish(_ error: StoreError?)
}

/// A closure that works with a connection, and the caller that waits for its result.
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

    /// Waits until work is finished.
    ///
    /// - Parameters:
    ///   - body: the closure that works.
    ///   - start: the closure that hands the work to a queue.
    /// - Returns: the result of the closure.
    /// - Throws: ``StoreError``.
    static func result(
        of body: @escaping Body,
        start: (PendingWork) -> Void
    ) async throws(StoreError) -> Value {
        try await withCheckedContinuation { start(PendingWork(body, $0)) }.get()
    }

    /// Does the work; it is called once.
    func run(_ argument: Argument) throws(StoreError) { value = try body(argument) }

    /// Resumes the caller with the result of ``run(_:)``, or with an error; it is called once.
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
