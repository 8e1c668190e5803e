/// A part of the declaration of an endpoint, a resource or a client.
///
/// All of Waybill's clauses conform. Apps usually define their own clauses as a ``Style``, which bundles other clauses,
/// or as a ``Setting``, which their middleware reads.
public protocol Clause: Sendable {
    /// Adds the clause to a scope.
    ///
    /// - Parameter scope: the enclosing scope.
    func declare(in scope: inout Scope)
}

extension Scope {
    /// A clause that can be repeated in a scope and used inside `if`, `switch` and `for`.
    public protocol RepeatableClause: Clause {}
}

/// A clause whose value is available during a call, for example to a decoder or a middleware.
///
/// A setting in an inner scope replaces the same setting from outer scopes. An app can define settings for its own
/// middleware:
///
/// ```swift
/// struct Priority: Setting { let level: Int }
///
/// endpoint {
///     GET("reports")
///     Priority(level: 2)          // call.settings[Priority.self]?.level in a Middleware
/// }
/// ```
public protocol Setting: Scope.RepeatableClause {
    /// The clause's name in explanations, as written in declarations.
    static var clauseName: String { get }

    /// Whether a scope can declare the setting several times, combining the values.
    static var accumulates: Bool { get }

    /// Returns this value merged over the one from an outer scope.
    ///
    /// The default implementation returns this value.
    ///
    /// - Parameter outer: the value from the outer scope.
    /// - Returns: the merged value.
    func merged(over outer: Self) -> Self

    /// Returns this value joined with an earlier one from the same scope.
    ///
    /// The default implementation merges this value over the earlier one.
    ///
    /// - Parameter earlier: the value declared earlier in the same scope.
    /// - Returns: the joined value.
    func joined(after earlier: Self) -> Self

    /// The value's description in explanations, without secrets.
    var summary: String { get }

    /// The implementation of the setting's effect on plans and calls; nil if the setting only provides a value.
    ///
    /// Only Waybill's own settings implement it.
    var _option: (any AnyObject & Sendable)? { get }
}

extension Setting {
    /// `nil`: the setting only provides a value.
    public var _option: (any AnyObject & Sendable)? { nil }

    /// The name of the type.
    public static var clauseName: String { "\(Self.self)" }

    /// `false`: a scope can declare the setting only once.
    public static var accumulates: Bool { false }

    /// Returns this value.
    ///
    /// - Parameter outer: the value from the outer scope.
    /// - Returns: this value.
    public func merged(over outer: Self) -> Self { self }

    /// Returns this value merged over the earlier one.
    ///
    /// - Parameter earlier: the value declared earlier in the same scope.
    /// - Returns: the merged value.
    public func joined(after earlier: Self) -> Self { merged(over: earlier) }

    /// The value's description.
    public var summary: String { "\(self)" }

    /// Declares the setting.
    ///
    /// Declaring it twice in the same scope is a declaration error unless `accumulates` is `true`.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) { scope.declare(self) }
}

/// A setting that obtains the result of a write from a response other than the first.
package protocol DeferringResult: Setting {
    /// The suggested fix if the declaration also has a ``WriteResult`` with a source other than the response.
    static var writeResultAdvice: String { get }

    /// Whether the setting is in effect; `false` if it turns off an outer scope's setting.
    var defersResult: Bool { get }
}

/// A setting that collects the elements of all its clauses, outermost scope first.
package protocol AccumulatingSetting: Setting {
    associatedtype Element: Sendable

    /// The declared elements.
    var elements: [Element] { get }

    init(_ elements: [Element])

    /// Returns an element's description for explanations, without secrets.
    static func summary(of element: Element) -> String
}

extension AccumulatingSetting {
    package static var accumulates: Bool { true }

    package func merged(over outer: Self) -> Self { Self(outer.elements + elements) }

    package var summary: String { elements.map(Self.summary).joined(separator: ", ") }
}

/// An accumulating setting that can discard the elements of outer scopes.
package protocol ReplacingSetting: AccumulatingSetting {
    /// Whether the elements of outer scopes are discarded.
    var replacesOuter: Bool { get }

    init(_ elements: [Element], replacesOuter: Bool)
}

extension ReplacingSetting {
    package init(_ elements: [Element]) { self.init(elements, replacesOuter: false) }

    /// A setting that discards the elements of outer scopes.
    package static var none: Self { Self([], replacesOuter: true) }

    package func merged(over outer: Self) -> Self {
        replacesOuter ? self : Self(outer.elements + elements, replacesOuter: outer.replacesOuter)
    }

    package func joined(after earlier: Self) -> Self {
        Self(earlier.elements + elements, replacesOuter: replacesOuter || earlier.replacesOuter)
    }

    package var summary: String {
        elements.isEmpty ? "none" : elements.map(Self.summary).joined(separator: ", ")
    }
}
