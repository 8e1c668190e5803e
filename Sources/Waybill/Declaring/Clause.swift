/// A clause of a declaration: one part of an endpoint, a resource or a client.
///
/// The clauses of Waybill conform. An app's own are mostly a ``Style``, which bundles others, or a ``Setting``, which
/// its middleware reads.
public protocol Clause: Sendable {
    /// Writes the clause into its scope.
    func declare(in scope: inout Scope)
}

/// A clause that may be repeated in a scope, and used inside `if`, `switch` and `for`.
public protocol RepeatableClause: Clause {}

/// A clause whose value is kept with the call, for the steps that read it: the decoder, the timer, a middleware.
///
/// A setting declared in an inner scope takes the place of the same one from outer scopes. An app can have settings
/// of its own, for its own middleware:
///
/// ```swift
/// struct Priority: Setting { let level: Int }
///
/// endpoint {
///     GET("reports")
///     Priority(level: 2)          // call.settings[Priority.self]?.level in a Middleware
/// }
/// ```
public protocol Setting: RepeatableClause {
    /// The clause as a declaration writes it, for explanations.
    static var clauseName: String { get }

    /// Whether a scope may declare it more than once, each adding to the ones before.
    static var accumulates: Bool { get }

    /// Returns the merge of this value over one from an outer scope; by default this value alone.
    func merged(over outer: Self) -> Self

    /// Returns the merge of this value and an earlier one of the same scope; by default as if that one were outer.
    func joined(after earlier: Self) -> Self

    /// The value as an explanation shows it, without secrets.
    var summary: String { get }
}

extension Setting {
    /// The name of the type.
    public static var clauseName: String { "\(Self.self)" }

    /// One in a scope.
    public static var accumulates: Bool { false }

    /// Returns the inner value alone.
    ///
    /// - Parameter outer: the value of the outer scope.
    /// - Returns: the merged value.
    public func merged(over outer: Self) -> Self { self }

    /// Returns the same as if the earlier value were from an outer scope.
    ///
    /// - Parameter earlier: the value that the same scope declares before.
    /// - Returns: the merged value.
    public func joined(after earlier: Self) -> Self { merged(over: earlier) }

    /// The value's description.
    public var summary: String { "\(self)" }

    /// Declares the setting; a second one in the same scope is a declaration error, unless settings of its kind
    /// accumulate.
    public func declare(in scope: inout Scope) { scope.declare(self) }
}

/// A setting that gets the result of a write from a later response than the first.
package protocol DeferringResult: Setting {
    /// The instruction for a declaration that also has a ``WriteResult`` of another source.
    static var writeResultAdvice: String { get }
}

/// A setting to which each clause of a kind adds an element, those of outer scopes first.
package protocol AccumulatingSetting: Setting {
    associatedtype Element: Sendable

    /// The declared elements.
    var elements: [Element] { get }

    init(_ elements: [Element])

    /// Returns an element as an explanation shows it, without secrets.
    static func summary(of element: Element) -> String
}

extension AccumulatingSetting {
    package static var accumulates: Bool { true }

    package func merged(over outer: Self) -> Self { Self(outer.elements + elements) }

    package var summary: String { elements.map(Self.summary).joined(separator: ", ") }
}
