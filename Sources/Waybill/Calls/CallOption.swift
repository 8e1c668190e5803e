/// A setting that takes part in calls: the core runs its hooks and does not know its type.
///
/// Every hook has a default that does nothing. A setting becomes an option by returning itself from
/// ``Setting/_option``.
package protocol CallOption: Setting {
    /// Whether the option concerns only the first request of a call, not later ones such as requests for a status.
    static var isOfFirstRequest: Bool { get }

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

    /// Returns the option's changes to a plan and the errors in the declaration; nil if it has none.
    ///
    /// - Parameter draft: the parts of the plan that are known.
    /// - Returns: the changes.
    func addition(to draft: PlanDraft) -> PlanAddition?

    /// The user that the app declares for the responses; nil if the option declares none.
    var declaredUser: String? { get }

    /// The boundary that a multipart form must use again; nil for a new one.
    var formBoundary: String? { get }

    /// The driver that performs the call as several others; nil for an option without one.
    var driver: (any CallDriver)? { get }
}

extension CallOption {
    package static var isOfFirstRequest: Bool { false }

    package func addSteps(to steps: inout CallSteps, of call: Call) {}

    package func identifying(_ request: CallRequest, of call: Call) -> CallRequest { request }

    package func addition(to draft: PlanDraft) -> PlanAddition? { nil }

    package var declaredUser: String? { nil }

    package var formBoundary: String? { nil }

    package var driver: (any CallDriver)? { nil }
}

/// A driver that performs a call as several others, each of which is a call of its own to observers.
package protocol CallDriver: Sendable {
    /// Performs the call and returns its response.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint of the call.
    ///   - plan: the plan of the call.
    /// - Returns: the response.
    /// - Throws: ``APIError``.
    func response<Value>(
        to endpoint: Endpoint<Value>,
        _ plan: Plan
    ) async throws(APIError) -> Response<Value>

    /// Returns the error for a call whose body is left to the caller, which a driver cannot do.
    func rejectionOfStreaming(_ plan: Plan) -> APIError
}

/// The parts of a plan that are known before options add theirs.
package struct PlanDraft: Sendable {
    /// The method.
    package let method: HTTPRequest.Method

    /// The body; nil if there is none, or if it could not be encoded.
    package let body: HTTPBody?

    /// Whether a body is declared.
    package let declaresBody: Bool

    /// The settings.
    package let settings: Scope.Settings
}

/// The changes of an option to a plan.
package struct PlanAddition: Sendable {
    /// The errors in the declaration.
    package var declarationErrors: [DeclarationError] = []

    /// The header fields of the first request.
    package var headerFields: [(name: HTTPField.Name, value: String)] = []

    /// Whether the first request has no content on any transport.
    package var hasNoContent = false

    /// Whether the first request may be sent without content, and the body with later ones.
    package var sendsContentLater = false

    /// For each header field, the name of the scope that declares the option.
    var scopes: [HTTPField.Name: String] = [:]

    package init() {}

    /// Returns the changes of two options.
    func joined(with other: PlanAddition) -> PlanAddition {
        var sum = self
        sum.declarationErrors += other.declarationErrors
        sum.headerFields += other.headerFields
        sum.hasNoContent = hasNoContent || other.hasNoContent
        sum.sendsContentLater = sendsContentLater || other.sendsContentLater
        sum.scopes.merge(other.scopes) { first, _ in first }
        return sum
    }
}

/// An option, as a requirement of the public ``Setting`` returns it.
public struct _CallOption: Sendable {
    let option: any CallOption

    package init(_ option: any CallOption) { self.option = option }
}

extension Scope.Settings {
    /// Runs a closure for each option, in the order in which their types were first declared.
    package func forEachOption<Failure: Error>(
        _ body: (any CallOption) throws(Failure) -> Void
    ) throws(Failure) {
        for index in entryIndices {
            if let option = option(at: index) { try body(option) }
        }
    }

    /// Returns the value of the first option that has one; nil if none has.
    package func first<Value>(_ value: (any CallOption) -> Value?) -> Value? {
        for index in entryIndices {
            if let option = option(at: index), let value = value(option) { return value }
        }
        return nil
    }

    /// The types of the options that concern only the first request of a call.
    var typesOfFirstRequest: [any Setting.Type] {
        entryIndices.compactMap { index in
            option(at: index).flatMap { type(of: $0).isOfFirstRequest ? type(of: $0) : nil }
        }
    }

    /// Whether there is a setting of a type.
    func contains(_ type: any Setting.Type) -> Bool { all.contains { Swift.type(of: $0) == type } }
}
