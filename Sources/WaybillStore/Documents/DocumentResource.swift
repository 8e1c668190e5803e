import Waybill
import WaybillJSON
import WaybillSystem

/// A resource's operations on raw JSON documents, for a store of entities.
///
/// The declaration's envelopes, pagination, problems, retries, credentials and write results apply. Documents keep
/// members that the entity type does not declare, and are sent without converting their keys.
package struct DocumentResource: Sendable {
    /// An item of the resource, as a raw JSON document.
    package struct Document: Representation {
        /// The document, with its original text if Waybill's decoder has read it.
        package let source: JSONDocument

        package var json: JSONValue { source.value }

        package init(from decoder: any Decoder) throws {
            guard let text = JSONTreeReader(decoder)?.text() else {
                source = JSONDocument(try JSONValue(from: decoder))
                return
            }
            // The text preserves lone surrogates; the type later decoded from it determines how they are handled.
            let value = try LoneSurrogates.replaced(in: decoder) { try JSONValue(from: decoder) }
            source = JSONDocument(value, source: text)
        }

        package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
    }

    private(set) var context: ResourceContext

    /// Whether the resource is a singleton, whose operations take no id.
    package private(set) var isSingleton = false

    /// Whether the resource declares ``Readable``.
    package private(set) var isReadable = false

    /// The batch operations that the resource declares.
    package private(set) var batches: Set<On.Operation> = []

    /// The single-item writes that the resource declares.
    package private(set) var writes: Set<On.Operation> = []

    /// Returns the content of a PATCH request that changes one document into another; nil if they are equal.
    private let patch: @Sendable (ResourceContext, JSONValue, JSONValue) throws(APIError) -> Body.Content?

    package init<Element: Entity, Access>(_ resource: Resource<Element, Access>) {
        context = resource.endpoints.context
        isReadable = Access.self is any Readable.Type
        if Access.self is any BatchCreatable.Type { batches.insert(.createBatch) }
        if Access.self is any BatchUpdatable.Type { batches.insert(.updateBatch) }
        writes = Self.writes(of: Access.self)
        patch = Self.patches(of: Element.self)
    }

    package init<Element: Representation, Access>(_ singleton: Singleton<Element, Access>) {
        context = singleton.endpoints.context
        isSingleton = true
        isReadable = Access.self is any Readable.Type
        writes = Self.writes(of: Access.self)
        patch = Self.patches(of: Element.self)
    }

    private static func writes(of access: any Capabilities.Type) -> Set<On.Operation> {
        var writes: Set<On.Operation> = []
        if access is any Creatable.Type { writes.insert(.create) }
        if access is any Updatable.Type { writes.insert(.update) }
        if access is any Patchable.Type { writes.insert(.patch) }
        if access is any Deletable.Type { writes.insert(.delete) }
        return writes
    }

    private static func patches<Element: Representation>(
        of type: Element.Type
    ) -> @Sendable (ResourceContext, JSONValue, JSONValue) throws(APIError) -> Body.Content? {
        { (context, before, after) throws(APIError) in
            let declaresForm = context.settings(for: .patch)[Body.Differences.self]?.rule != nil
            if !declaresForm, let type = Element.self as? any PatchDifferencing.Type {
                let decoder = Self.decoder(in: context)
                // If a state does not decode, there is no typed patch, so the JSON difference is sent.
                if let old = try? decoder.decode(Element.self, from: Data(before.description.utf8)),
                    let new = try? decoder.decode(Element.self, from: Data(after.description.utf8))
                {
                    return try context.ownPatch(type, from: old, to: new).map { .changes($0) }
                }
            }
            return context.difference(from: before, to: after, of: Element.self).map { .difference($0) }
        }
    }

    /// The resource's client.
    package var client: Client { context.client }

    /// Whether the resource's bodies are JSON, so that they can be stored as documents.
    package var hasJSON: Bool {
        let decoder = Self.decoder(in: context)
        return decoder is WaybillJSONDecoder || decoder is JSONDecoder
    }

    private static func decoder(in context: ResourceContext) -> any ResponseDecoder {
        context.settings(for: .read)[Decode.self]?.decoder ?? JSONDefaults.responseDecoder
    }

    /// The decoder for the resource's items.
    package var decoder: any ResponseDecoder { Self.decoder(in: context) }

    /// Returns the JSON that an operation sends for a value.
    ///
    /// - Throws: ``APIError/request(_:)`` if the value cannot be encoded as JSON.
    package func document(of value: some Encodable, for operation: On.Operation) throws(APIError) -> JSONValue {
        try context.document(of: value, for: operation)
    }

    /// Whether an operation's requests carry an idempotency key if their method is not idempotent.
    package func hasIdempotencyKey(for operation: On.Operation) -> Bool {
        context.settings(for: operation)[IdempotencyKey.self]?.name != nil
    }

    /// Returns a copy with additional clauses as its innermost scope.
    package func with(@Scope.CallBuilder _ clauses: () -> Scope) -> DocumentResource {
        at(context.with(clauses()))
    }

    /// Returns a copy with a value in its path and query replaced.
    ///
    /// - Parameters:
    ///   - old: the value to replace, not percent-encoded.
    ///   - new: the replacement, not percent-encoded.
    /// - Returns: the changed copy.
    package func replacing(_ old: String, by new: String) -> DocumentResource {
        at(context.replacing(value: old, by: new))
    }

    /// The keys of the members that every PATCH request includes, even if unchanged.
    package var keptKeys: [String] { context.settings(for: .patch)[Body.Differences.self]?.rule?.keptKeys ?? [] }

    /// Whether lists are paginated.
    package var isPaginated: Bool { context.settings(for: .list)[Paginated.self]?.scheme != nil }

    /// Whether the server's totals are exact.
    package var hasExactTotals: Bool { context.settings(for: .list)[Paginated.self]?.totals != .estimated }

    /// Whether pages may be addressed by position, so that insertions and deletions shift items between pages.
    package var pagesByPosition: Bool {
        switch context.settings(for: .list)[Paginated.self]?.scheme?.kind {
        case .cursor, .after, nil: false
        default: true
        }
    }

    /// Returns a copy with a different context.
    private func at(_ context: ResourceContext) -> DocumentResource {
        var resource = self
        resource.context = context
        return resource
    }
}

extension DocumentResource {
    /// Returns a GET request for the collection, whose result includes unreadable elements.
    ///
    /// Waybill's decoder accepts deeper nesting than usual in the list, because each document has a separate depth
    /// limit.
    package func list() -> Endpoint<[ListedDocument]> {
        let declared = context.settings(for: .list)[Decode.self]?.decoder ?? JSONDefaults.responseDecoder
        guard var decoder = declared as? WaybillJSONDecoder else { return context.endpoint(.list, .get, .decoding()) }
        decoder.maximumDepth = RemainderSigns.maximumDepth
        return with { Decode(with: decoder) }.context.endpoint(.list, .get, .decoding())
    }

    /// Returns a GET request for one item; pass nil for a singleton.
    package func read(_ id: OperationID?) -> Endpoint<Document> {
        context.endpoint(.read, .get, id: id, .decoding())
    }

    /// Returns a POST request that creates an item from a draft.
    package func create(_ draft: JSONDocument) -> Endpoint<Document> {
        context.createEndpoint(Body(.document(draft)))
    }

    /// Returns a PUT request that replaces an item.
    package func update(_ id: OperationID?, _ item: JSONDocument) -> Endpoint<Document> {
        context.updateEndpoint(Body(.document(item)), id: id)
    }

    /// Returns a PATCH request with the difference between two states of an item, in the declared form; nil if the
    /// states are equal.
    ///
    /// - Throws: ``APIError/request(_:)`` if the entity's ``PatchDifferencing`` implementation throws.
    package func patch(_ id: OperationID?, from before: JSONValue, to after: JSONValue) throws(APIError) -> Endpoint<
        Document
    >? {
        try patch(context, before, after).map {
            context.patchEndpoint($0, merging: after, id: id) as Endpoint<Document>
        }
    }

    /// Returns a POST or PATCH request that sends several documents and returns a result for each, in order.
    ///
    /// - Parameters:
    ///   - operation: one of ``batches``.
    ///   - documents: the drafts or the items.
    /// - Returns: the endpoint; nothing is sent yet.
    package func batch(
        _ operation: On.Operation,
        _ documents: [JSONDocument]
    ) -> Endpoint<[Result<Document, APIError.ItemsFailure.Item>]> {
        let body = Body(.document(JSONDocument(elements: documents)))
        return context.batch(operation, body, count: documents.count) { .outcomes(count: $0) }
    }

    /// Returns a DELETE request for one item.
    package func delete(_ id: OperationID?) -> Endpoint<Void> {
        context.endpoint(.delete, .delete, id: id, .ignoring)
    }
}

extension OperationID {
    /// Creates the id of a document.
    ///
    /// - Parameters:
    ///   - segment: the path segment, not percent-encoded.
    ///   - value: the id as it appears in a body.
    ///   - type: the type of the entity's ids.
    package init(segment: String, value: JSONValue, type: Any.Type) {
        self.init(segment: segment, declared: DeclaredValue(type, isID: true)) { value }
    }
}

extension DocumentResource {
    /// Returns a copy that sends an idempotency key, if the operation declares one, and an `If-Match` condition.
    ///
    /// - Parameters:
    ///   - operation: the operation whose declaration names the key's header field.
    ///   - key: the idempotency key.
    ///   - entityTag: the strong entity tag for `If-Match`; nil to omit the condition.
    /// - Returns: the changed copy.
    package func conditioned(for operation: On.Operation, key: String, entityTag: String?) -> DocumentResource {
        let setting = context.settings(for: operation)[IdempotencyKey.self]
        return with {
            if let name = setting?.name { Header(name, setting?.form?.isQuoted == true ? "\"\(key)\"" : key) }
            if let entityTag { Header(.ifMatch, entityTag) }
        }
    }

    /// Whether the declared method of an operation is idempotent (RFC 9110, section 9.2.2).
    package func isIdempotent(_ operation: On.Operation) -> Bool {
        let method: HTTPRequest.Method =
            switch operation {
            case .create, .createBatch: .post
            case .update, .upsert: .put
            case .patch, .updateBatch: .patch
            case .delete: .delete
            case .list, .read: .get
            }
        let endpoint: Endpoint<Void> = context.endpoint(operation, method, .ignoring)
        return endpoint.method.isIdempotent
    }
}
