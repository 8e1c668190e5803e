extension Multipart {
    /// Builds the parts of a form.
    @resultBuilder
    public enum Builder {
        /// Takes a part.
        public static func buildExpression(_ part: Part) -> [Part] { [part] }

        /// Takes a list of parts.
        public static func buildExpression(_ parts: [Part]) -> [Part] { parts }

        /// Does not compile: only parts are allowed here.
        @available(*, unavailable, message: "not a part: a form has Part(\"name\", …); clauses belong around Multipart")
        public static func buildExpression<Value>(_ value: Value) -> [Part] { [] }

        /// Joins parts.
        public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap { $0 } }

        /// Builds `if` without `else`.
        public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }

        /// Builds the first branch.
        public static func buildEither(first parts: [Part]) -> [Part] { parts }

        /// Builds the second branch.
        public static func buildEither(second parts: [Part]) -> [Part] { parts }

        /// Builds `for`.
        public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap { $0 } }

        /// Builds `if #available`.
        public static func buildLimitedAvailability(_ parts: [Part]) -> [Part] { parts }
    }
}
