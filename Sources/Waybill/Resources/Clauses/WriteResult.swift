/// The source of the entity returned by `create`, `update`, `upsert` and `patch`, for servers that do not respond with
/// the whole entity.
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
///
/// WriteResult.none                                 // the response, even if an outer scope declares another source
/// ```
///
/// Combined with `LongRunning`, a source other than ``Source/response`` is a declaration error.
///
/// A call that ignores the response needs no clause: `endpoints.patch(id, changes).returning(Void.self)`.
public struct WriteResult: Setting {
    /// The source of the entity that a write returns.
    public enum Source: String, Sendable, Hashable {
        /// The response is the whole entity. This is the default.
        case response
        /// The response contains some or none of the members, which are merged over the sent entity. Nested objects are
        /// merged recursively.
        ///
        /// The request body must be JSON or a form, and contain the whole entity or draft. Any other body is a
        /// declaration error, and so is `patch(id, changes)`, which sends only the changes. A form does not preserve
        /// types, so the sent entity is the JSON that the declared ``Encode`` would produce.
        case merged
        /// An empty response body means that the server stored the entity as sent; any other response is the whole
        /// entity.
        ///
        /// The request body must meet the same requirements as for ``merged``.
        case sent
        /// The entity is fetched after the write with the `read` operation.
        ///
        /// After `create`, it is fetched from the response's `Location` (RFC 9110, section 15.3.2), or by the id in the
        /// response; see ``WriteResult/init(_:idAt:_:)``. The call returns the response to the GET, which is sent
        /// without the write's conditions. If the GET fails, its error is thrown, although the write has succeeded.
        /// Declaring this source for batches is a declaration error.
        case reread
    }

    /// The declared source of the entity.
    public let source: Source

    /// The path of the id in the response to `create`; nil if the entity is fetched from its `Location`.
    package let idPath: [EnvelopeKey]?

    /// Declares the source of the entity.
    ///
    /// - Parameter source: the source of the returned entity.
    public init(_ source: Source) { (self.source, idPath) = (source, nil) }

    /// The default, ``Source/response``, even if an outer scope declares another source.
    public static let none = WriteResult(.response)

    /// Declares that the entity is fetched after the write, and that the response to `create` contains its id.
    ///
    /// ```swift
    /// // POST {"name":"Bo"} → {"uuid":"7f3e"}, then GET users/7f3e
    /// var users: Resource<User, ReadWrite> { resource("users") { WriteResult(.reread, idAt: "uuid") } }
    /// ```
    ///
    /// The other writes already have the id. If the response to `create` has no such id, the call fails with an
    /// ``APIError/DecodingFailure`` whose underlying error is ``MissingID``.
    ///
    /// - Parameters:
    ///   - source: ``Source/reread``; any other source is a declaration error.
    ///   - key: the outermost key of the id in the body. The id must be a string or an integer.
    ///   - keys: the keys below it.
    public init(_ source: Source, idAt key: EnvelopeKey, _ keys: EnvelopeKey...) {
        (self.source, idPath) = (source, [key] + keys)
    }

    /// The name of the source, and the path of the id.
    public var summary: String {
        source.rawValue + (idPath.map { ", idAt: \($0.pathDescription)" } ?? "")
    }

    /// Declares the source of the entity; combining an id path with a source other than ``Source/reread`` is a
    /// declaration error.
    ///
    /// - Parameter scope: the scope to declare it in.
    public func declare(in scope: inout Scope) {
        if let idPath, source != .reread {
            scope.declarationErrors.reject(
                "WriteResult",
                ".\(source.rawValue), idAt: \(idPath.arguments)",
                because: "only .reread fetches the entity by its id; declare WriteResult(.reread, idAt:"
                    + " \(idPath.arguments)), or leave idAt: out"
            )
        }
        scope.declare(self)
    }
}

extension WriteResult {
    /// The type and location of the problem that a server reports for a failed item in a batch.
    ///
    /// ```swift
    /// On(.createBatch) { WriteResult.ItemProblem(ItemProblem.self, at: "error", item: ["product"]) }
    /// // [{"product":{…}}, {"error":{…}}]
    /// ```
    ///
    /// An item that contains the problem has failed. Any other item contains an entity, at the path `item` if one is
    /// declared. If an item fails, the batch operations either throw ``APIError/items(_:)`` or return a result for each
    /// item. `WriteResult.ItemProblem.none` disables the clause of an outer scope.
    public struct ItemProblem: Setting {
        /// The clause's name in declarations.
        public static var clauseName: String { "WriteResult.ItemProblem" }

        /// The paths of the problem and the entity within an item.
        package struct Rule: Sendable {
            package let extra: Extraction.SideValue
            package let itemPath: [EnvelopeKey]
        }

        /// The paths; nil if the clause disables that of an outer scope.
        package let rule: Rule?

        /// Declares a problem at a path within the item.
        ///
        /// - Parameters:
        ///   - type: the type of the problem.
        ///   - path: the path of the problem within an item.
        ///   - item: the path of the entity within a successful item; empty if the item itself is the entity.
        public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey..., item: [EnvelopeKey] = [])
        {
            rule = Rule(extra: Extraction.SideValue(ifPresent: Value.self, at: path), itemPath: item)
        }

        private init() { rule = nil }

        /// No item problems, even if an outer scope declares them.
        public static let none = Self()

        /// The type and the path of the problem, or `none`.
        public var summary: String {
            rule.map { "\($0.extra.type) at \($0.extra.path.pathDescription)" } ?? "none"
        }
    }
}

extension Body {
    /// The format of the differences sent by `patch(from:to:)`.
    ///
    /// ```swift
    /// On(.patch) { Body.Differences(keeping: "type", "id") }       // {"type":"blogs","id":"7","name":"new"}
    /// On(.patch) { Body.Differences(as: .jsonPatch) }      // [{"op":"replace","path":"/name","value":"new"}]
    /// ```
    ///
    /// Without the clause, differences are JSON merge patches, unless the entity's `Patch` type is `JSONPatch` or the
    /// entity conforms to ``PatchDifferencing``. `Body.Differences.none` restores this default if an outer scope
    /// declares the clause. If nothing changed, nothing is sent.
    public struct Differences: Setting {
        /// The clause's name in declarations.
        public static var clauseName: String { "Body.Differences" }

        /// A format for differences.
        public enum Format: String, Sendable, Hashable {
            /// The changed members, with `null` for removed ones (RFC 7396).
            ///
            /// Sent as `application/merge-patch+json`, unless another content type or form encoding is declared.
            case mergePatch
            /// JSON Patch operations (RFC 6902), sent as `application/json-patch+json`.
            case jsonPatch
        }

        /// A format, and the members that it always includes.
        package struct Rule: Sendable {
            package let format: Format
            package let keptKeys: [String]
        }

        /// The format; nil if the clause disables that of an outer scope.
        package let rule: Rule?

        /// Declares merge patches that always include certain members of the new state.
        ///
        /// Use this for servers that require certain members in every patch. Their values come from the new state.
        ///
        /// - Parameter keys: the keys of the members to include even if unchanged, except for members missing from the
        ///   new state. If such a member is an object with changes, only its changes are sent.
        public init(keeping keys: String...) { rule = Rule(format: .mergePatch, keptKeys: keys) }

        /// Declares the format of differences.
        ///
        /// - Parameter format: the format of the patches.
        public init(as format: Format) { rule = Rule(format: format, keptKeys: []) }

        private init() { rule = nil }

        /// The entity's default format, even if an outer scope declares another one.
        public static let none = Self()

        /// The format, or the keys of the members that are always included; `none` if the clause declares neither.
        public var summary: String {
            guard let rule else { return "none" }
            return rule.keptKeys.isEmpty ? rule.format.rawValue : "keeping \(rule.keptKeys.joined(separator: ", "))"
        }
    }
}
