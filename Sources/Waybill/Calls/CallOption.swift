/// A setting that adds steps to calls.
///
/// The core runs the steps without knowing their types.
///
/// Every hook has a default that does nothing. A setting becomes an option by returning a ``CallPart`` from
/// ``Setting/_option``.
package protocol CallOption: PlanOption {
    /// Whether the option performs a call as several others, as a driver of calls.
    static var drivesCalls: Bool { get }

    /// Adds the option's steps to a call.
    ///
    /// - Parameters:
    ///   - steps: the steps of the call.
    ///   - call: the call.
    func addSteps(to steps: inout CallSteps, of call: Call)

    /// Returns the request with the fields that tell the server which user sends it.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - call: the call.
    /// - Returns: the request, with its secret fields marked as such.
    func identifying(_ request: CallRequest, of call: Call) -> CallRequest
}

extension CallOption {
    package static var drivesCalls: Bool { false }

    package func addSteps(to steps: inout CallSteps, of call: Call) {}

    package func identifying(_ request: CallRequest, of call: Call) -> CallRequest { request }
}

/// The part of an option in plans and calls, as its setting stores it.
package final class CallPart: PlanPart, @unchecked Sendable {
    let callOption: any CallOption

    package init(_ option: any CallOption) {
        callOption = option
        super.init(option)
    }
}

extension Scope.Settings {
    /// Calls a closure with each option, in declaration order.
    package func forEachOption(_ body: (any CallOption) -> Void) {
        for index in indices {
            if let part = option(at: index) as? CallPart { body(part.callOption) }
        }
    }
}
