import WaybillSystem

extension Call {
    /// The resolved request of a call.
    ///
    /// An endpoint returns its plan without sending it:
    ///
    /// ```swift
    /// let plan = try shop.search("lamp").plan()
    /// plan.method          // GET
    /// plan.template        // products/search
    /// plan.url             // https://shop.example/products/search?q=lamp
    /// print(plan.curl())
    /// print(plan.explanation)
    /// ```
    public struct Plan: Sendable {
        // A class, because every step of a call stores a copy of the plan.
        private final class Storage: Sendable {
            let content: Content

            init(_ content: Content) { self.content = content }

            /// All secret values known before the call is made.
            var secretValues: [String] {
                let names = content.secretNames
                let credentials = content.settings[Authorization.self]?.credentials ?? []
                let known = SentSecrets.values(of: content.message, names)
                // Values withheld from another origin are still secret.
                let declared = content.isForeign ? SentSecrets.values(in: content.outerScopes, names) : []
                let inner = content.isForeign ? SentSecrets.values(in: content.innerScopes, names) : []
                let parts = content.form?.secretValues(names) ?? []
                return known + declared + inner + parts + credentials.flatMap { SentSecrets.values(of: $0) }
            }
        }

        private let storage: Storage

        /// The identity of the plan, shared by its copies.
        var id: ObjectIdentifier { ObjectIdentifier(storage) }

        init(_ content: Content) { storage = Storage(content) }

        /// Returns a copy with a header field that a scope declares without a value, such as an idempotency key.
        package func adding(_ field: HTTPField, from scope: String) -> Call.Plan {
            var content = storage.content
            content.headerFields.append(field)
            content.addedFields[field.name] = scope
            return Call.Plan(content)
        }

        /// The names of the scopes that declare the added header fields, by field name.
        var addedFields: [HTTPField.Name: String] { storage.content.addedFields }

        /// Whether the first request may be sent without content, with the body sent by later requests.
        var sendsContentLater: Bool { storage.content.sendsContentLater }

        /// The secrets of the call that are known before it is made.
        package var secrets: CallSecrets {
            CallSecrets(names: secretNames) { [storage] in storage.secretValues }
        }

        /// The request method.
        public var method: HTTPRequest.Method { storage.content.method }

        /// The declared path with each value replaced by `{}`, or the declared ``Call/Name``.
        ///
        /// Use it as the key for logs, metrics and stubs.
        public var template: String { storage.content.template }

        /// The route's path, percent-encoded, without a leading slash.
        package var path: String { storage.content.path }

        /// The URL, percent-encoded.
        ///
        /// Printing the `URL` itself reveals its secrets. The plan's descriptions and ``curl(revealingSecrets:)``
        /// redact them.
        public var url: URL { storage.content.url }

        /// The header fields, in the order they are sent.
        ///
        /// They do not include the credential, which is added when the request is sent. Fields declared secret are
        /// marked sensitive, so their descriptions are redacted.
        public var headerFields: HTTPFields { storage.content.headerFields }

        /// Whether the content type is declared rather than derived from the body.
        var declaresContentType: Bool { storage.content.declaresContentType }

        /// The body; nil if the request has none.
        public var body: HTTPBody? { storage.content.body }

        /// The parts of a multipart form; nil for other bodies.
        package var form: MultipartForm? { storage.content.form }

        /// The settings in effect for the call.
        public var settings: Scope.Settings { storage.content.settings }

        /// The kind of content sent by a resource operation that writes and returns the entity; nil for any other call.
        package var write: WriteOperation? { storage.content.write }

        /// The entity encoded in a form body; nil for any other body.
        var formEntity: EncodedBody.FormEntity? { storage.content.formEntity }

        /// The id to add to a single entity that lacks it, and its key; nil if lists are not keyed by id, or if the
        /// call has no id.
        var keyedItem: (key: String, id: JSONValue)? {
            guard let key = settings[Envelope.self]?.idKey, let id = storage.content.id else { return nil }
            let encoding = EncodedBody.Encoding(format: nil, encode: settings[Encode.self], isChange: true)
            let encoded = try? encoding.document(of: id.value())
            // Falls back to the default encoder, because the encoder in scope may not write JSON.
            let usual = EncodedBody.Encoding(format: nil, encode: nil, isChange: true)
            return (key, encoded ?? (try? usual.document(of: id.value())) ?? .string(id.segment))
        }

        /// The names whose values are redacted.
        package var secretNames: SecretNameSet { storage.content.secretNames }

        /// The secret values in the route's path, percent-encoded, in order.
        package var pathSecrets: [String] { storage.content.pathSecrets }

        /// The route's path as stored in a cursor, with placeholders for secrets.
        var cursorPath: String { PathSecrets.removing(pathSecrets, from: path) }

        /// The checksum of the body before a page's values are added, as stored in a cursor; nil if the body is
        /// missing, empty or a stream.
        package var cursorBody: String? {
            guard let bytes = storage.content.listBody?.bytes, !bytes.isEmpty else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            let shown: String
            if let document = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes) {
                shown = Redaction.requestJSON(document, secretNames: secretNames).description
            } else {
                shown = Redaction.form(text, secretNames: secretNames)
            }
            return CursorChecksum.text(of: shown)
        }

        /// Returns the checksums of the list's declared query items, by name, as stored in a cursor.
        ///
        /// Items that select a page or set its size are omitted. The checksums do not cover the values of secret items.
        ///
        /// - Parameter page: the cursor's additions to the request.
        /// - Returns: the checksums; empty if no other item is declared.
        func cursorFilters(besides page: Paginated.Scheme.Request) -> [String: String] {
            let items = storage.content.listQuery
            if items.isEmpty { return [:] }
            var paging = settings[Paginated.self]?.scheme?.queryNames ?? []
            paging.formUnion(page.query.fields.map { BytewiseString($0.name) })
            var texts: [String: String] = [:]
            for item in items where !paging.contains(BytewiseString(item.name)) {
                let value = item.pieces?.joined(separator: ",") ?? ""
                let isSecret = item.isSecret || secretNames.contains(item.name, of: value)
                texts[item.name, default: ""] += isSecret ? "" : "&\(item.encoded)"
            }
            return texts.mapValues(CursorChecksum.text)
        }

        /// The handle that pauses the call and reports its progress.
        package var control: TransferControl? { settings[Control.self]?.control }

        /// The keys that enclose the value in the JSON body.
        package var bodyKeys: [String] { storage.content.bodyKeys }

        /// The client's scopes, outermost first.
        package var outerScopes: [Scope] { storage.content.outerScopes }

        /// The scopes inside the client's, outermost first.
        package var innerScopes: [Scope] { storage.content.innerScopes }

        /// The cursor of the requested page.
        package var cursor: Cursor? { storage.content.cursor }

        /// Whether the origin of the URL differs from the client's.
        package var isForeign: Bool { storage.content.isForeign }

        /// The credentials of the call; empty if the origin of the URL differs from the client's.
        package var credentials: [Authorization.Credential] {
            isForeign ? [] : settings[Authorization.self]?.credentials ?? []
        }

        /// All scopes of the call, outermost first.
        package var scopes: [Scope] { outerScopes + innerScopes }

        /// Returns the decoded value of the query item with the given name; nil if the URL has no such item.
        package func queryValue(_ name: String?) -> String? {
            guard let name else { return nil }
            return URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
                .first { $0.name.hasSameBytes(as: name) }?.value
        }

        /// Returns a description of the call for use in errors.
        package func failedCall(attempt: Int = 1) -> APIError.FailedCall {
            var call = APIError.FailedCall(
                method: method,
                template: template,
                attempt: attempt,
                cursor: cursor
            )
            call.target = url
            call.secrets = secrets
            return call
        }

        /// The URL, with secrets redacted.
        package var shownURL: String { Redaction.url(url, secretNames: secrets.collected) }

        /// The request, without its credential.
        package var request: CallRequest { CallRequest(storage.content.message, secrets: secrets) }
    }
}

extension Call.Plan {
    /// Returns the endpoint's identity for use in a token: the method, the path template, and a hash of the origin and
    /// path.
    ///
    /// The path is hashed because its values may be secret. The query is omitted because it may contain a signature.
    ///
    /// - Parameter hash: a closure that returns a one-way hash of a string.
    /// - Returns: the identity.
    package func endpointIdentity(hash: (String) -> String) -> String {
        let origin = HTTPRequest.Origin(url)?.description ?? ""
        return "\(method) \(template) \(hash("\(origin)\(url.path(percentEncoded: true))"))"
    }
}

extension Call.Plan: CustomStringConvertible, CustomReflectable {
    /// The request line and the header fields, with secrets redacted.
    ///
    /// See ``explanation`` for all parts.
    public var description: String { request.message.description }

    /// The parts of the plan, with secrets redacted.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "template": template, "url": shownURL, "headerFields": headerFields,
                "body": body as Any, "settings": settings, "cursor": cursor as Any,
            ],
            displayStyle: .struct
        )
    }
}

extension Call.Plan {
    /// The stored properties of a plan; see ``Call/Plan`` for their documentation.
    struct Content: Sendable {
        let method: HTTPRequest.Method
        let template: String
        let path: String
        let url: URL
        var headerFields: HTTPFields
        let declaresContentType: Bool
        let body: HTTPBody?
        /// The parts of a multipart form; nil for other bodies.
        package let form: MultipartForm?
        let listBody: HTTPBody?
        let listQuery: [QueryItem]
        let settings: Scope.Settings
        let write: WriteOperation?
        /// The id passed to the operation.
        let id: OperationID?
        /// The entity encoded in a form, for ``WriteResult``.
        let formEntity: EncodedBody.FormEntity?
        let secretNames: SecretNameSet
        let pathSecrets: [String]
        let bodyKeys: [String]
        let outerScopes: [Scope]
        let innerScopes: [Scope]
        let cursor: Cursor?
        let isForeign: Bool
        /// The names of the scopes that declare the added header fields, by field name.
        var addedFields: [HTTPField.Name: String] = [:]

        /// Whether the first request may be sent without content, with the body sent by later requests.
        var sendsContentLater = false

        /// The request, without its credential.
        var message: HTTPRequest { HTTPRequest(method: method, url: url, headerFields: headerFields, body: body) }
    }
}

/// A checksum of part of a list request, as stored in a cursor.
enum CursorChecksum {
    /// Returns the checksum of a string, in hexadecimal.
    static func text(of text: String) -> String { String(value(of: text), radix: 16) }

    /// Returns the checksum of a string as a number.
    ///
    /// FNV-1a is sufficient to distinguish lists and pages, because an attacker gains nothing from a collision.
    static func value(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
