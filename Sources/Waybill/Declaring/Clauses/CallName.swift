extension Call {
    /// The name of a call, used in place of its path in logs, metrics, errors and stub tables.
    ///
    /// Use it for APIs whose calls share an uninformative path:
    ///
    /// ```swift
    /// endpoint {
    ///     GET("api.php")
    ///     Query("action", "query")
    ///     Call.Name("pages.search")          // in a stub's table: "GET pages.search"
    /// }
    /// ```
    ///
    /// `Call.Name.none` restores the path if an outer scope declares a name.
    ///
    /// The name replaces the path template everywhere, including ``Call/Plan/template`` and `CallEvent.template`. The
    /// URL and the request are unchanged. An empty name, or one containing a space or control character, is a
    /// declaration error: nothing is sent.
    public struct Name: Setting {
        /// The clause's name in declarations.
        public static var clauseName: String { "Call.Name" }

        /// The name; nil if the clause turns off an outer scope's name.
        public let name: String?

        /// Creates a name.
        ///
        /// - Parameter name: the name, such as `pages.search`.
        public init(_ name: String) { self.name = name }

        private init() { name = nil }

        /// No name, even if an outer scope declares one.
        public static let none = Self()

        /// The name, or `none`.
        public var summary: String { name ?? "none" }

        /// Declares the name.
        ///
        /// - Parameter scope: the enclosing scope.
        public func declare(in scope: inout Scope) {
            if let name, name.isEmpty || name.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
                scope.declare(
                    Scope.DeclarationError(
                        clause: "Call.Name",
                        value: "\"\(name.filter { !$0.isNewline })\"",
                        reason: "a name has at least one character, and no space or control character; give one such as"
                            + " users.list"
                    )
                )
            }
            scope.declare(self)
        }
    }
}
