import WaybillJSON
import WaybillSystem

/// The operations of a resource on JSON documents in the form of its server: the part of the engine that a store of
/// entities uses.
///
/// Envelopes, pagination, problems, retries, credentials and the results of writes are those of the declaration.
/// Documents keep the members that the entity's type lacks, and are sent without another conversion of their keys.
package struct DocumentResource: Sendable {
    /// A document, as an item of the resource.
    package struct Document: Representation {
        /// The document with the text that it was read from, unless a decoder of another module has read it.
        package let source: JSONDocument

        package var json: JSONValue { source.value }

        package init(from decoder: any Decoder) throws {
            guard let text = JSONTreeReader(decoder)?.text() else {
                source = JSONDocument(try JSONValue(from: decoder))
                return
            }
            // The text keeps what a server has cut within a character; a type that reads it decides.
            let value = try LoneSurrogates.replaced(in: decoder) { try JSONValue(from: decoder) }
            source = JSONDocument(value, source: text)
        }

        package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
    }

    private(set) var context: ResourceContext

    /// Whether it exists once, and its operations have no id.
    package private(set) var isSingleton = false

    /// Whether the resource declares that an item can be read.
    package private(set) var isReadable = false

    /// The operations on several items that the resource has.
    package private(set) var batches: Set<On.Operation> = []

    /// The writes of one item that the resource declares a capability for.
    package private(set) var writes: Set<On.Operation> = []

    /// Returns the content of a PATCH between two documents; nil if they are equal.
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
            let isOwn = context.settings(for: .patch)[Bodies.Differences.self] == nil
            if isOwn, let type = Element.self as? any PatchDifferencing.Type {
                let decoder = Self.decoder(in: context)
                // A state that does not decode has no typed patch; its plain difference is sent.
                if let old = try? decoder.decode(Element.self, from: Data(before.description.utf8)),
                    let new = try? decoder.decode(Element.self, from: Data(after.description.utf8))
                {
                    return try context.ownPatch(type, from: old, to: new).map { .changes($0) }
                }
            }
            return context.difference(from: before, to: after, of: Element.self).map { .difference($0) }
        }
    }

    /// The client of the resource.
    package var client: Client { context.client }

    /// Whether the bodies of the resource are JSON, which can be kept as documents.
    package var hasJSON: Bool {
        let decoder = Self.decoder(in: context)
        return decoder is WaybillJSONDecoder || decoder is JSONDecoder
    }

    private static func decoder(in context: ResourceContext) -> any ResponseDecoder {
        context.settings(for: .read)[Decode.self]?.decoder ?? JSONDefaults.responseDecoder
    }

    /// The decoder of the resource's items.
    package var decoder: any ResponseDecoder { Self.decoder(in: context) }

    /// Returns a value as the JSON that an operation sends for it.
    ///
    /// - Throws: ``APIError/request(_:)`` if it cannot be encoded as JSON.
    package func document(of value: some Encodable, for operation: On.Operation) throws(APIError) -> JSONValue {
        try context.document(of: value, for: operation)
    }

    /// Whether calls of an operation that is not idempotent have a key by which the server knows them again.
    package func hasIdempotencyKey(for operation: On.Operation) -> Bool {
        context.settings(for: operation)[IdempotencyKey.self]?.name != nil
    }

    /// Returns the same resource with further clauses as its innermost scope.
    package func with(@Scope.CallBuilder _ clauses: () -> Scope) -> DocumentResource {
        at(context.with(clauses()))
    }

    /// Returns the same resource with a value of its path and of its query replaced.
    ///
    /// - Parameters:
    ///   - old: the text of the value, not encoded.
    ///   - new: the replacement, not encoded.
    /// - Returns: the resource.
    package func replacing(_ old: String, by new: String) -> DocumentResource {
        at(context.replacing(value: old, by: new))
    }

    /// The keys of the members that a PATCH repeats although they have not changed.
    package var keptKeys: [String] { context.settings(for: .patch)[Bodies.Differences.self]?.keptKeys ?? [] }

    /// Whether a list has pages.
    package var isPaginated: Bool { context.settings(for: .list)[Paginated.self] != nil }

    /// Whether a total that the server gives is the number of items.
    package var hasExactTotals: Bool { context.settings(for: .list)[Paginated.self]?.totals != .estimated }

    /// Whether a page is perhaps a place in the list, from which items move when others come and go.
    package var pagesByPosition: Bool {
        switch context.settings(for: .list)[Paginated.self]?.scheme.kind {
        case .cursor, .after, nil: false
        default: true
        }
    }

    /// Returns the same resource with another context.
    private func at(_ context: ResourceContext) -> DocumentResource {
        var resource = self
        resource.context = context
        return resource
    }
}

extension DocumentResource {
    /// Returns a GET of the collection, which also has its pages; unreadable elements are among its items.
    ///
    /// The body may be nested to any depth: a document is limited by itself.
    package func list() -> Endpoint<[ListedDocument]> {
        let declared = context.settings(for: .list)[Decode.self]?.decoder ?? JSONDefaults.responseDecoder
        guard var decoder = declared as? WaybillJSONDecoder else { return context.endpoint(.list, .get, .decoding()) }
        decoder.maximumDepth = RemainderSigns.maximumDepth
        return with { Decode(with: decoder) }.context.endpoint(.list, .get, .decoding())
    }

    /// Returns a GET of one item; nil for a singleton.
    package func read(_ id: OperationID?) -> Endpoint<Document> {
        context.endpoint(.read, .get, id: id, .decoding())
    }

    /// Returns a POST of a draft to the collection.
    package func create(_ draft: JSONDocument) -> Endpoint<Document> {
        context.createEndpoint(Body(.document(draft)))
    }

    /// Returns a PUT of a whole item.
    package func update(_ id: OperationID?, _ item: JSONDocument) -> Endpoint<Document> {
        context.updateEndpoint(Body(.document(item)), id: id)
    }

    /// Returns a PATCH with the difference between two states of an item, in the declared form; nil if they are equal.
    ///
    /// - Throws: ``APIError/request(_:)`` if an entity that makes its patches itself fails to.
    package func patch(_ id: OperationID?, from before: JSONValue, to after: JSONValue) throws(APIError) -> Endpoint<
        Document
    >? {
        try patch(context, before, after).map {
            context.patchEndpoint($0, merging: after, id: id) as Endpoint<Document>
        }
    }

    /// Returns a POST or PATCH of several documents in one request, with the result of each, in their order.
    ///
    /// - Parameters:
    ///   - operation: the operation, one of ``batches``.
    ///   - documents: the drafts or the items.
    /// - Returns: the call, not sent yet.
    package func batch(
        _ operation: On.Operation,
        _ documents: [JSONDocument]
    ) -> Endpoint<[Result<Document, APIError.ItemsFailure.Item>]> {
        let body = Body(.document(JSONDocument(elements: documents)))
        return context.batch(operation, body, count: documents.count) { .outcomes(count: $0) }
    }

    /// Returns a DELETE of one item.
    package func delete(_ id: OperationID?) -> Endpoint<Void> {
        context.endpoint(.delete, .delete, id: id, .ignoring)
    }
}

extension OperationID {
    /// Creates the id of a document.
    ///
    /// - Parameters:
    ///   - segment: the text in a path, not encoded.
    ///   - value: the id in a body.
    ///   - type: the type of the entity's ids.
    package init(segment: String, value: JSONValue, type: Any.Type) {
        self.init(segment: segment, declared: DeclaredValue(type, isID: true)) { value }
    }
}

extension DocumentResource {
    /// Returns the same resource with a key by which its server knows a repetition, if keys are declared for the
    /// operation, and with the version that the server has to have.
    ///
    /// - Parameters:
    ///   - operation: the operation.
    ///   - key: the key.
    ///   - entityTag: the strong entity tag of the version; nil for any.
    /// - Returns: the resource.
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
