/// The name of a call, in place of its path: in logs, metrics, errors and the tables of stubs.
///
/// For APIs whose calls share a path that does not tell them apart:
///
/// ```swift
/// endpoint {
///     GET("api.php")
///     Query("action", "query")
///     CallName("pages.search")          // in a stub's table: "GET pages.search"
/// }
/// ```
///
/// It replaces the template of the path everywhere, in ``Plan/template`` and `CallEvent.template` too; the URL and the
/// request stay the same. An empty name, or one with a space or a control character, is a declaration error: nothing is
/// sent.
public struct CallName: Setting {
    /// The name.
    public let name: String

    /// Creates a name.
    ///
    /// - Parameter name: the name, such as `pages.search`.
    public init(_ name: String) { self.name = name }

    /// The name.
    public var summary: String { name }

    /// Declares the name.
    public func declare(in scope: inout Scope) {
        if name.isEmpty || name.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
            scope.declare(
                DeclarationError(
                    clause: "CallName",
                    value: "\"\(name.filter { !$0.isNewline })\"",
                    reason: "a name has at least one character, and no space or control character; give one such as"
                        + " users.list"
                )
            )
        }
        scope.declare(self)
    }
}
