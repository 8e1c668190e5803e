/// A clause whose value is kept with the call, for the steps that read it: the decoder, the timer, a middleware.
///
/// A setting declared in a nearer scope takes the place of the same one from farther scopes. An app can have settings
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
    /// Whether a scope may declare it more than once, each adding to the ones before.
    static var accumulates: Bool { get }

    /// What holds when this value meets one from a farther scope; by default this value alone.
    func merged(over farther: Self) -> Self

    /// What holds when this value meets an earlier one of the same scope; by default as if that one were farther.
    func joined(after earlier: Self) -> Self

    /// The value as an explanation shows it, without secrets.
    var summary: String { get }
}

extension Setting {
    /// One in a scope.
    public static var accumulates: Bool { false }

    /// The nearer value alone.
    public func merged(over farther: Self) -> Self { self }

    /// The same as if the earlier value were farther away.
    public func joined(after earlier: Self) -> Self { merged(over: earlier) }

    /// The value's description.
    public var summary: String { "\(self)" }

    /// Declares the setting; a second one in the same scope is a mistake, unless settings of its kind accumulate.
    public func declare(in scope: inout Scope) { scope.declare(self) }
}
