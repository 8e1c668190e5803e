extension Bodies {
    /// The form of the differences that `patch(from:to:)` sends.
    ///
    /// ```swift
    /// On(.patch) { Bodies.Differences(keeping: "type", "id") }       // {"type":"blogs","id":"7","name":"new"}
    /// On(.patch) { Bodies.Differences(as: .jsonPatch) }              // [{"op":"replace","path":"/name","value":"new"}]
    /// ```
    ///
    /// Without the clause, they are JSON merge patches, unless the entity's `Patch` is `JSONPatch` or the entity makes
    /// its patches itself, as a ``PatchDifferencing`` one does. If nothing changed, nothing is sent.
    public struct Differences: Setting {
        /// The clause as a declaration writes it.
        public static var clauseName: String { "Bodies.Differences" }

        /// A form of a difference.
        public enum Form: String, Sendable, Hashable {
            /// The members that changed, those that were removed as `null` (RFC 7396).
            ///
            /// As `application/merge-patch+json`, unless another content type or a form is declared.
            case mergePatch
            /// Operations (RFC 6902), as `application/json-patch+json`.
            case jsonPatch
        }

        package let form: Form
        package let keptKeys: [String]

        /// Declares merge patches that keep these keys of the new state, if it has them.
        ///
        /// For servers that want some members repeated in every patch.
        public init(keeping keys: String...) { (form, keptKeys) = (.mergePatch, keys) }

        /// Declares a form.
        public init(as form: Form) { (self.form, keptKeys) = (form, []) }

        /// The form and the keys.
        public var summary: String {
            keptKeys.isEmpty ? form.rawValue : "keeping \(keptKeys.joined(separator: ", "))"
        }
    }
}
