import Waybill

/// The error that a call ends in; a call that succeeds fails the test.
func failure<Value>(_ call: () async throws -> Value) async throws -> APIError {
    do {
        let value = try await call()
        throw UnexpectedEnd("the call succeeded: \(value)")
    } catch let error as APIError {
        return error
    }
}

/// The failed status that a call ends in; anything else fails the test.
func statusFailure<Value>(_ call: () async throws -> Value) async throws -> StatusFailure {
    let error = try await failure(call)
    guard case .status(let failure) = error else { throw UnexpectedEnd("\(error)") }
    return failure
}

/// A call that ended in another way than the test says.
struct UnexpectedEnd: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
