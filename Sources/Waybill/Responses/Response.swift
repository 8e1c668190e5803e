import WaybillSystem

/// A whole response: the value, and everything that came with it.
public struct Response<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value

    /// The status.
    public let status: HTTPResponse.Status

    /// The header fields; their texts leave secrets out, those of the request too.
    public let headerFields: HTTPFields

    /// The fields after the body (RFC 9110, section 6.5), as far as the transport passes them on.
    public let trailerFields: HTTPFields

    /// The URL of the response: after redirects not that of the request.
    ///
    /// It has the fragment of the last `Location` that has one, or else of the request (RFC 9110, section 10.2.2). Its
    /// texts leave secrets out; `HTTPURL.value` is the URL itself.
    public let url: HTTPURL

    /// The body's bytes.
    public let body: Data

    /// The elements that ``DropInvalidItems`` left out.
    public let droppedItems: [DroppedItem]

    private let values: [ObjectIdentifier: any Sendable]

    package init(
        value: Value,
        reply: Reply,
        droppedItems: [DroppedItem] = [],
        metadata: [ObjectIdentifier: any Sendable] = [:]
    ) {
        self.value = value
        status = reply.status
        headerFields = reply.headerFields
        trailerFields = reply.trailerFields
        url = reply.url
        body = reply.body
        self.droppedItems = droppedItems
        values = metadata
    }

    private init(value: Value, like other: Response<some Sendable>) {
        self.value = value
        status = other.status
        headerFields = other.headerFields
        trailerFields = other.trailerFields
        url = other.url
        body = other.body
        droppedItems = other.droppedItems
        values = other.values
    }

    /// Returns the declared metadata of a type; nil if it is optional and the response has none, or if no ``Metadata``
    /// clause declares it.
    public func metadata<Metadata: Sendable>(_ type: Metadata.Type = Metadata.self) -> Metadata? {
        values[ObjectIdentifier(type)] as? Metadata
    }

    /// Returns the same response with another value.
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Response<Other> {
        Response<Other>(value: try transform(value), like: self)
    }

    /// Returns the URL in a header field, such as `Location`, resolved against the URL of the response.
    ///
    /// It keeps its fragment. Nil if there is no such field, or if it has no HTTP URL in it.
    public func url(in name: HTTPField.Name) -> HTTPURL? {
        guard let text = headerFields[name],
            let url = URL.resolved(text, against: url.value, keepsFragment: true)
        else { return nil }
        return HTTPURL(url, redaction: self.url.redaction)
    }
}

extension Response where Value == Void {
    package init(reply: Reply) { self.init(value: (), reply: reply) }
}

extension Response: CustomStringConvertible, CustomReflectable {
    /// The status, the number of bytes, and the value.
    public var description: String { "\(status), \(body.count) bytes: \(value)" }

    /// The parts of the response, secrets redacted, and the number of its bytes; the value as it is.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "value": value, "status": status, "headerFields": headerFields, "trailerFields": trailerFields,
                "url": url, "body": "\(body.count) bytes", "droppedItems": droppedItems,
            ],
            displayStyle: .struct
        )
    }
}
