/// A setting that takes part in planning: the core runs its hooks and does not know its type.
///
/// Every hook has a default that does nothing.
package protocol PlanOption: Setting {
    /// Whether the option concerns only the first request of a call, not later ones such as requests for a status.
    static var isOfFirstRequest: Bool { get }

    /// Returns the option's changes to a plan and the errors in the declaration; nil if it has none.
    ///
    /// - Parameter draft: the parts of the plan that are known.
    /// - Returns: the changes.
    func addition(to draft: PlanDraft) -> PlanAddition?

    /// The user that the app declares for the responses; nil if the option declares none.
    var declaredUser: String? { get }

    /// The boundary that a multipart form must use again; nil for a new one.
    var formBoundary: String? { get }
}

extension PlanOption {
    package static var isOfFirstRequest: Bool { false }

    package func addition(to draft: PlanDraft) -> PlanAddition? { nil }

    package var declaredUser: String? { nil }

    package var formBoundary: String? { nil }
}

/// The part of an option in planning, as its setting stores it.
///
/// `@unchecked Sendable`: the subclass, too, has immutable properties only.
package class PlanPart: @unchecked Sendable {
    /// The option.
    package let planOption: any PlanOption

    init(_ option: any PlanOption) { planOption = option }
}

/// The parts of a plan that are known before options add theirs.
package struct PlanDraft: Sendable {
    /// The method.
    package let method: HTTPRequest.Method

    /// The body; nil for a call without one, or if encoding it has failed.
    package let body: HTTPBody?

    /// Whether a body is declared.
    package let declaresBody: Bool

    /// The settings.
    package let settings: Scope.Settings
}

/// The changes of an option to a plan.
package struct PlanAddition: Sendable {
    /// The errors in the declaration.
    package var declarationErrors: [Scope.DeclarationError] = []

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

extension Scope.Settings {
    /// Calls a closure with each option, in declaration order.
    func forEachPlanOption(_ body: (any PlanOption) -> Void) {
        for index in indices {
            if let part = option(at: index) as? PlanPart { body(part.planOption) }
        }
    }

    /// Returns the value of the first option that has one; nil if none has.
    package func first<Value>(_ value: (any PlanOption) -> Value?) -> Value? {
        for index in indices {
            if let part = option(at: index) as? PlanPart, let value = value(part.planOption) { return value }
        }
        return nil
    }

    /// The types of the options that concern only the first request of a call.
    package var typesOfFirstRequest: [any Setting.Type] {
        var types: [any Setting.Type] = []
        forEachPlanOption { option in
            if type(of: option).isOfFirstRequest { types.append(type(of: option)) }
        }
        return types
    }
}
