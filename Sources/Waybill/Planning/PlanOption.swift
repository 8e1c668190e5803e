/// A setting that participates in planning through hooks, so that the core does not depend on its type.
///
/// The default implementation of each hook does nothing.
package protocol PlanOption: Setting {
    /// Whether the option applies only to the first request of a call, not to later ones such as status requests.
    static var isOfFirstRequest: Bool { get }

    /// Returns the option's changes to a plan and any errors in its declaration.
    ///
    /// - Parameter draft: the parts of the plan that are already known.
    /// - Returns: the changes and errors; nil without any.
    func addition(to draft: PlanDraft) -> PlanAddition?

    /// The declared user to whom the responses belong; nil if the option declares none.
    var declaredUser: String? { get }

    /// The boundary that a multipart form must reuse; nil to generate one.
    var formBoundary: String? { get }
}

extension PlanOption {
    package static var isOfFirstRequest: Bool { false }

    package func addition(to draft: PlanDraft) -> PlanAddition? { nil }

    package var declaredUser: String? { nil }

    package var formBoundary: String? { nil }
}

/// The stored form of an option, as far as planning uses it.
///
/// `@unchecked Sendable`: the subclass also has only immutable properties.
package class PlanPart: @unchecked Sendable {
    /// The option.
    package let planOption: any PlanOption

    init(_ option: any PlanOption) { planOption = option }
}

/// The parts of a plan that are known before options change it.
package struct PlanDraft: Sendable {
    /// The method.
    package let method: HTTPRequest.Method

    /// The body; nil if the call has none, or if encoding it failed.
    package let body: HTTPBody?

    /// Whether a body is declared.
    package let declaresBody: Bool

    /// The settings.
    package let settings: Scope.Settings
}

/// An option's changes to a plan.
package struct PlanAddition: Sendable {
    /// The errors in the declaration.
    package var declarationErrors: [Scope.DeclarationError] = []

    /// The header fields of the first request.
    package var headerFields: [(name: HTTPField.Name, value: String)] = []

    /// Whether the first request has no content on any transport.
    package var hasNoContent = false

    /// Whether the first request may be sent without content, with the body sent by later requests.
    package var sendsContentLater = false

    /// The name of the scope that declares the option, by header field name.
    var scopes: [HTTPField.Name: String] = [:]

    package init() {}

    /// Returns the combined changes of two options.
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

extension Scope.Settings {
    /// Calls a closure with each option, in declaration order.
    func forEachPlanOption(_ body: (any PlanOption) -> Void) {
        for index in indices {
            if let part = option(at: index) as? PlanPart { body(part.planOption) }
        }
    }

    /// Returns the first value that an option provides; nil if none does.
    package func first<Value>(_ value: (any PlanOption) -> Value?) -> Value? {
        for index in indices {
            if let part = option(at: index) as? PlanPart, let value = value(part.planOption) { return value }
        }
        return nil
    }

    /// The types of the options that apply only to the first request of a call.
    package var typesOfFirstRequest: [any Setting.Type] {
        var types: [any Setting.Type] = []
        forEachPlanOption { option in
            if type(of: option).isOfFirstRequest { types.append(type(of: option)) }
        }
        return types
    }
}
