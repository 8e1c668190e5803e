import WaybillSystem

/// A complete response: its decoded value, head and body.
public struct Response<Value: Sendable>: Sendable {
    /// The decoded value.
    public let value: Value

    /// The status.
    public let status: HTTPResponse.Status

    /// The header fields.
    ///
    /// Fields that repeat one of the call's secrets are marked as sensitive.
    ///
    /// If the call has secrets, each access takes time linear in the size of the fields.
    public var headerFields: HTTPFields { secrets.map { $0.marking(receivedFields) } ?? receivedFields }

    /// The trailer fields (RFC 9110, section 6.5), if the transport supports them.
    public var trailerFields: HTTPFields { secrets.map { $0.marking(receivedTrailers) } ?? receivedTrailers }

    /// The response's URL, which differs from the request's URL after a redirect.
    ///
    /// Its fragment comes from the last `Location` with a fragment, or from the request if there was none (RFC 9110,
    /// section 10.2.2). The URL contains secrets that the declaration puts into it, but no credentials from the query.
    public let url: URL

    /// The bytes of the body.
    ///
    /// For a `Void` value, a body that exceeds the limit for failed responses is discarded and this property is empty,
    /// unless metadata or a problem may be decoded from the body. The limit is 256 KiB by default; change it with
    /// `BodyLimits(failureBytes:)`.
    public let body: Data

    /// The elements dropped by ``DropInvalidItems``.
    public let droppedItems: [WaybillJSONDecoder.DroppedItem]

    /// The header fields as received.
    package let receivedFields: HTTPFields

    private let receivedTrailers: HTTPFields
    private var values: [ObjectIdentifier: any Sendable]

    /// The call's secrets; nil if the response does not come from a call.
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
    /// - Returns: the metadata; nil if it is optional and missing, or if no ``Metadata`` clause declares it.
    public func metadata<Metadata: Sendable>(_ type: Metadata.Type = Metadata.self) -> Metadata? {
        values[ObjectIdentifier(type)] as? Metadata
    }

    /// Returns a copy with additional metadata; existing values take precedence.
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

    /// The parts of the response, with the body's length in place of its bytes.
    ///
    /// Secrets are redacted, except in the value.
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
    /// The entity tag; nil if it is missing or invalid.
    public var entityTag: HTTPField.EntityTag? { receivedFields.entityTag }

    /// The date of the last modification (RFC 9110, section 8.8.2); nil if it is missing or invalid.
    public var lastModified: Date? { receivedFields[.lastModified].flatMap { HTTPDate.date(from: $0) } }
}

extension IfMatch {
    /// Creates a condition on a response's version: its strong entity tag or, if it has none, its `Last-Modified` date.
    ///
    /// If the response has neither, the condition is a declaration error, and nothing is sent.
    ///
    /// - Parameters:
    ///   - response: the response whose version must match.
    ///   - comparison: the server's comparison function for entity tags.
    public init<Value>(_ response: Response<Value>, comparison: HTTPField.EntityTag.Comparison = .strong) {
        self.init(versionOf: response.receivedFields, comparison: comparison)
    }
}
