import WaybillSystem

/// A complete response: its decoded value, head and body.
public struct Response<Value: Sendable>: Sendable {
    /// The decoded value.
    public let value: Value

    /// The status.
    public let status: HTTPResponse.Status

    /// The header fields; a field that repeats one of the call's secrets is marked as sensitive.
    ///
    /// If the call has secrets, each access takes time linear in the size of the fields.
    public var headerFields: HTTPFields { secrets.map { $0.marking(receivedFields) } ?? receivedFields }

    /// The trailer fields (RFC 9110, section 6.5), if the transport supports them.
    public var trailerFields: HTTPFields { secrets.map { $0.marking(receivedTrailers) } ?? receivedTrailers }

    /// The URL of the response, which differs from the request's after a redirect.
    ///
    /// Its fragment is that of the last `Location` with a fragment, or that of the request if there was no such field
    /// (RFC 9110, section 10.2.2). The URL includes secrets that the declaration puts into it, but no credentials from
    /// the query.
    public let url: URL

    /// The bytes of the body.
    ///
    /// For a `Void` value, a body that exceeds the limit for failed responses is discarded and this property is empty,
    /// unless metadata or a problem may be decoded from the body. The limit is 256 KiB by default;
    /// `BodyLimits(failureBytes:)` changes it.
    public let body: Data

    /// The elements that ``DropInvalidItems`` dropped.
    public let droppedItems: [WaybillJSONDecoder.DroppedItem]

    /// The header fields as received.
    package let receivedFields: HTTPFields

    private let receivedTrailers: HTTPFields
    private var values: [ObjectIdentifier: any Sendable]

    /// The secrets of the call; nil if no call received the response.
    package let secrets: CallSecrets?

    package init(
        value: Value,
        reply: Reply,
        droppedItems: [WaybillJSONDecoder.DroppedItem] = [],
        metadata: [ObjectIdentifier: any Sendable] = [:]
    ) {
        self.value = value
        status = reply.status
        receivedFields = reply.headerFields
        receivedTrailers = reply.trailerFields
        secrets = reply.request?.secrets
        url = reply.url
        body = reply.body
        self.droppedItems = droppedItems
        values = metadata
    }

    private init(value: Value, like other: Response<some Sendable>) {
        self.value = value
        status = other.status
        receivedFields = other.receivedFields
        receivedTrailers = other.receivedTrailers
        secrets = other.secrets
        url = other.url
        body = other.body
        droppedItems = other.droppedItems
        values = other.values
    }

    /// Returns the declared metadata of the given type.
    ///
    /// - Parameter type: the type of the metadata.
    /// - Returns: the metadata; nil if it is optional and missing in the response, or if no ``Metadata`` clause
    ///   declares it.
    public func metadata<Metadata: Sendable>(_ type: Metadata.Type = Metadata.self) -> Metadata? {
        values[ObjectIdentifier(type)] as? Metadata
    }

    /// Returns a copy of the response with additional metadata, which does not replace any.
    func adding(_ metadata: [ObjectIdentifier: any Sendable]) -> Response {
        var response = self
        response.values.merge(metadata) { own, _ in own }
        return response
    }

    /// Returns a copy of the response with a transformed value.
    ///
    /// - Parameter transform: a closure that returns the new value.
    /// - Returns: the response with the new value.
    /// - Throws: the closure's error.
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Response<Other> {
        Response<Other>(value: try transform(value), like: self)
    }

    /// Returns the URL in a header field such as `Location`, resolved against the response's URL.
    ///
    /// - Parameter name: the name of the field.
    /// - Returns: the URL with its fragment; nil if the field is missing or is not an HTTP URL.
    public func url(in name: HTTPField.Name) -> URL? {
        receivedFields[name].flatMap { URL.resolved($0, against: url, keepsFragment: true) }
    }
}

extension Response where Value == Void {
    package init(reply: Reply) { self.init(value: (), reply: reply) }
}

extension Response: CustomStringConvertible, CustomReflectable {
    /// The status, the number of bytes in the body, and the value.
    public var description: String { "\(status), \(body.count) bytes: \(value)" }

    /// The parts of the response with secrets redacted, except in the value, and the number of bytes in the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "value": value, "status": status, "headerFields": headerFields, "trailerFields": trailerFields,
                "url": Redaction.url(
                    text: url.absoluteString,
                    secretNames: secrets?.collected ?? .usual,
                    isRedirect: true
                ), "body": "\(body.count) bytes",
                "droppedItems": droppedItems,
            ],
            displayStyle: .struct
        )
    }
}

extension Response {
    /// The entity tag; nil if the response has no valid one.
    public var entityTag: HTTPField.EntityTag? { receivedFields.entityTag }

    /// The date of the last modification (RFC 9110, section 8.8.2); nil if the response has no valid one.
    public var lastModified: Date? { receivedFields[.lastModified].flatMap { HTTPDate.date(from: $0) } }
}

extension IfMatch {
    /// Creates a condition on the version in a response: its strong entity tag, or its `Last-Modified` date if it has
    /// no such tag.
    ///
    /// If the response has neither, the condition is a declaration error, and nothing is sent.
    ///
    /// - Parameters:
    ///   - response: the response with the version to match.
    ///   - comparison: the comparison function that the server uses for entity tags.
    public init<Value>(_ response: Response<Value>, comparison: HTTPField.EntityTag.Comparison = .strong) {
        self.init(versionOf: response.receivedFields, comparison: comparison)
    }
}
