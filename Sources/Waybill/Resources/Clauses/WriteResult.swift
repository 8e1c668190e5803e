/// The source of the entity that `create`, `update` and `patch` return if the response is not the whole entity.
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
/// Combined with ``LongRunning``, a source other than ``Source/response`` is a declaration error.
///
/// A call that ignores the response needs no clause: `endpoints.patch(id, changes).returning(Void.self)`.
public struct WriteResult: Setting {
    /// The source of the entity that a write returns.
    public enum Source: String, Sendable, Hashable {
        /// The response is the whole entity; the default without the clause.
        case response
        /// The response has some members or none; they are merged over the sent ones, objects recursively.
        ///
        /// The request body must be JSON and contain the whole entity or draft. A form body is a declaration error, and
        /// so is `patch(id, changes)`, which sends only the changes.
        case merged
        /// A response without a body means that the server stored the sent entity; any other response is the whole
        /// entity.
        ///
        /// The request body has the same requirements as for ``merged``.
        case sent
        /// The entity is fetched after the write with the `read` operation.
        ///
        /// After `create`, it is fetched from the response's `Location` (RFC 9110, section 15.3.2). The call returns
        /// the response to the GET, which is sent without the write's conditions. If the GET fails, its error is
        /// thrown, although the write has succeeded. Declaring this source for batches is a declaration error.
        case reread
    }

    /// The declared source of the entity.
    public let source: Source

    /// Declares the source of the entity.
    ///
    /// - Parameter source: where the returned entity comes from.
    public init(_ source: Source) { self.source = source }

    /// The name of the source.
    public var summary: String { source.rawValue }
}

extension WriteResult {
    /// The typed problem that the server reports for an item of a batch.
    ///
    /// ```swift
    /// On(.createBatch) { WriteResult.ItemProblem(ItemProblem.self, at: "error", item: ["product"]) }
    /// // [{"product":{…}}, {"error":{…}}]
    /// ```
    ///
    /// An item with such a value has failed. Any other item is an entity, at the path `item` if declared. The batch
    /// operations then throw ``APIError/items(_:)``, or return each item's result.
    public struct ItemProblem: Setting {
        /// The clause's name in declarations.
        public static var clauseName: String { "WriteResult.ItemProblem" }

        package let summaryText: String
        package let extra: Extraction.SideValue
        package let itemPath: [EnvelopeKey]

        /// Declares a problem at a path within the item.
        ///
        /// - Parameters:
        ///   - type: the type of the problem.
        ///   - path: the path of the problem within an item.
        ///   - item: the path of the entity within an item without a problem.
        public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey..., item: [EnvelopeKey] = [])
        {
            extra = Extraction.SideValue(ifPresent: Value.self, at: path)
            itemPath = item
            summaryText = "\(Value.self) at \(path.pathDescription)"
        }

        /// The type and the path of the problem.
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
    /// Without the clause, differences are JSON merge patches, unless the entity's `Patch` type is `JSONPatch` or the
    /// entity conforms to ``PatchDifferencing``. If nothing changed, nothing is sent.
    public struct Differences: Setting {
        /// The clause's name in declarations.
        public static var clauseName: String { "Bodies.Differences" }

        /// A form of a difference.
        public enum Form: String, Sendable, Hashable {
            /// The changed members, with `null` for removed ones (RFC 7396).
            ///
            /// Sent as `application/merge-patch+json`, unless another content type or a form is declared.
            case mergePatch
            /// Operations (RFC 6902), sent as `application/json-patch+json`.
            case jsonPatch
        }

        package let form: Form
        package let keptKeys: [String]

        /// Declares merge patches that always include certain members of the new state.
        ///
        /// Use it for servers that require some members in every patch.
        ///
        /// - Parameter keys: the keys of the members to include, even if unchanged; a member that the new state lacks
        ///   is left out.
        public init(keeping keys: String...) { (form, keptKeys) = (.mergePatch, keys) }

        /// Declares the form of differences.
        ///
        /// - Parameter form: the form of the patches.
        public init(as form: Form) { (self.form, keptKeys) = (form, []) }

        /// The form, or the keys that are kept.
        public var summary: String {
            keptKeys.isEmpty ? form.rawValue : "keeping \(keptKeys.joined(separator: ", "))"
        }
    }
}
