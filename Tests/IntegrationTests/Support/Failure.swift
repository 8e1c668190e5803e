import Waybill

/// Returns the error that a call ends in; a call that succeeds fails the test.
func failure<Value>(_ call: () async throws -> Value) async throws -> APIError {
    do {
        let value = try await call()
        throw UnexpectedEnd("the call succeeded: \(value)")
    } catch let error as APIError {
        return error
    }
}

/// Returns the failed status that a call ends in; anything else fails the test.
func statusFailure<Value>(_ call: () async throws -> Value) async throws -> APIError.StatusFailure {
    let error = try await failure(call)
    guard case .status(let failure) = error else { throw UnexpectedEnd("\(error)") }
    return failure
}

/// Makes a call until it fails with a status, at most ten times: a server that lets some calls a minute through may let
/// one through whenever an earlier one is a minute old.
func throttledFailure<Value>(_ call: () async throws -> Value) async throws -> APIError.StatusFailure {
    for _ in 1..<10 {
        if let failure = try? await statusFailure(call) { return failure }
    }
    return try await statusFailure(call)
}

/// The error of a call that ended in another way than the test expects.
struct UnexpectedEnd: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
