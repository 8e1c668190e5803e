import Waybill

/// Returns the error that a call throws; the test fails if the call succeeds.
func failure<Value>(_ call: () async throws -> Value) async throws -> APIError {
    do {
        let value = try await call()
        throw UnexpectedEnd("the call succeeded: \(value)")
    } catch let error as APIError {
        return error
    }
}

/// Returns the status failure that a call throws; the test fails on any other outcome.
func statusFailure<Value>(_ call: () async throws -> Value) async throws -> APIError.StatusFailure {
    let error = try await failure(call)
    guard case .status(let failure) = error else { throw UnexpectedEnd("\(error)") }
    return failure
}

/// Repeats a call until it fails with a status, at most ten times.
///
/// A server that allows a few calls a minute may allow another one whenever an earlier call becomes a minute old.
func throttledFailure<Value>(_ call: () async throws -> Value) async throws -> APIError.StatusFailure {
    for _ in 1..<10 {
        if let failure = try? await statusFailure(call) { return failure }
    }
    return try await statusFailure(call)
}

/// The error for a call that did not end as the test expects.
struct UnexpectedEnd: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
