/// The result of `create`, `update` and `patch` of a resource if the response is not the whole entity.
///
/// ```swift
/// // POST {"text":"hi"} → {"id":7}     gives Message(id: 7, text: "hi")
/// var messages: Resource<Message, ReadWrite> { resource("messages") { WriteResult(.merged) } }
///
/// var users: Resource<User, ReadWrite> {
///     resource("users") {
///         On(.update) { WriteResult(.sent) }       // PUT → 204
///         On(.patch) { WriteResult(.reread) }      // PATCH → 204, then GET
///     }
/// }
/// ```
///
/// Beside ``LongRunning``, a source other than ``Source/response`` is a declaration error.
///
/// A call that returns nothing needs no clause: `endpoints.patch(id, changes).returning(Void.self)`.
public struct WriteResult: Setting {
    /// The source of the entity that a write returns.
    public enum Source: String, Sendable, Hashable {
        /// The response is the whole entity, as without the clause.
        case response
        /// The response has some members, or none: they are merged over those that were sent, objects recursively.
        ///
        /// The request's body has to be JSON and the whole entity or draft: with a form, or for `patch(id, changes)`,
        /// which sends only the changes, it is a declaration error.
        case merged
        /// A response without a body means that the server took the body of the request; any other is the whole entity.
        ///
        /// The request's body has to be JSON and the whole entity or draft, as for ``merged``.
        case sent
        /// The entity is fetched after the write, with the operation `read`.
        ///
        /// After `create` it is fetched from the response's `Location` (RFC 9110, section 15.3.2). The call returns the
        /// response of that second request, which has no conditions of the first. If it fails, the write is still done:
        /// the error is that of the GET. For batches it is a declaration error.
        case reread
    }

    /// The source of the entity.
    public let source: Source

    /// Declares the source of the entity.
    ///
    /// - Parameter source: the source of the entity.
    public init(_ source: Source) { self.source = source }

    /// The name of the source.
    public var summary: String { source.rawValue }
}

extension WriteResult {
    /// The typed problem that a server gives for single items of a batch.
    ///
    /// ```swift
    /// On(.createBatch) { WriteResult.ItemProblem(ItemProblem.self, at: "error", item: ["product"]) }
    /// // [{"product":{…}}, {"error":{…}}]
    /// ```
    ///
    /// An item with such a value has failed; the others are entities, below `item` if it is declared. The batch
    /// operations then throw an ``APIError/ItemsFailure``, or return each item's result.
    public struct ItemProblem: Setting {
        /// The clause as a declaration writes it.
        public static var clauseName: String { "WriteResult.ItemProblem" }

        package let summaryText: String
        package let extra: Extraction.SideValue
        package let itemPath: [EnvelopeKey]

        /// Declares a problem below a key of the item.
        ///
        /// - Parameters:
        ///   - type: the type of the problem.
        ///   - path: the path of the problem in the item.
        ///   - item: the path of the entity in an item without a problem.
        public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey..., item: [EnvelopeKey] = [])
        {
            extra = Extraction.SideValue(ifPresent: Value.self, at: path)
            itemPath = item
            summaryText = "\(Value.self) at \(path.pathDescription)"
        }

        /// The type and its place.
        public var summary: String { summaryText }
    }
}

extension Bodies {
    /// The form of the differences that `patch(from:to:)` sends.
    ///
    /// ```swift
    /// On(.patch) { Bodies.Differences(keeping: "type", "id") }       // {"type":"blogs","id":"7","name":"new"}
    /// On(.patch) { Bodies.Differences(as: .jsonPatch) }      // [{"op":"replace","path":"/name","value":"new"}]
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
        ///
        /// - Parameter keys: the keys of members that are repeated although they have not changed.
        public init(keeping keys: String...) { (form, keptKeys) = (.mergePatch, keys) }

        /// Declares a form.
        ///
        /// - Parameter form: the form of the patch.
        public init(as form: Form) { (self.form, keptKeys) = (form, []) }

        /// The form and the keys.
        public var summary: String {
            keptKeys.isEmpty ? form.rawValue : "keeping \(keptKeys.joined(separator: ", "))"
        }
    }
}
