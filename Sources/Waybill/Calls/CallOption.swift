/// A setting that adds steps to calls.
///
/// The core runs the steps without knowledge of their types.
///
/// Every hook has an empty default. A setting becomes an option by returning a ``CallPart`` from ``Setting/_option``.
package protocol CallOption: PlanOption {
    /// Whether the option is a driver that performs a call as several calls.
    static var drivesCalls: Bool { get }

    /// Adds the option's steps to a call.
    ///
    /// - Parameters:
    ///   - steps: the steps of the call.
    ///   - call: the call.
    func addSteps(to steps: inout CallSteps, of call: Call)

    /// Returns the request with the fields that identify its user to the server.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - call: the call.
    /// - Returns: the request, with its secret fields marked as sensitive.
    func identifying(_ request: CallRequest, of call: Call) -> CallRequest
}

extension CallOption {
    package static var drivesCalls: Bool { false }

    package func addSteps(to steps: inout CallSteps, of call: Call) {}

    package func identifying(_ request: CallRequest, of call: Call) -> CallRequest { request }
}

/// An option as stored by its setting in plans and calls.
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
