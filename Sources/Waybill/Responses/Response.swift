import WaybillSystem

/// A whole response: the value, and everything that came with it.
public struct Response<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value

    /// The status.
    public let status: HTTPResponse.Status

    /// The header fields; those in which the server repeats a secret of the call are sensitive.
    ///
    /// O(n) in their bytes at each access, for a call that has secrets.
    public var headerFields: HTTPFields { secrets.map { $0.marking(receivedFields) } ?? receivedFields }

    /// The fields after the body (RFC 9110, section 6.5), as far as the transport passes them on.
    public var trailerFields: HTTPFields { secrets.map { $0.marking(receivedTrailers) } ?? receivedTrailers }

    /// The URL of the response: after redirects not that of the request.
    ///
    /// Its fragment is that of the last `Location` with one, or else of the request (RFC 9110, section 10.2.2). It has
    /// the secrets that the declaration puts into the URL, but no credential of the query.
    public let url: URL

    /// The body's bytes.
    ///
    /// For a `Void` value a body of more than 256 KiB, or than `BodyLimits(failure:)` declares, is dropped while it
    /// arrives, and this is empty.
    public let body: Data

    /// The elements that ``DropInvalidItems`` left out.
    public let droppedItems: [DroppedItem]

    /// The header fields as they came.
    package let receivedFields: HTTPFields

    private let receivedTrailers: HTTPFields
    private let values: [ObjectIdentifier: any Sendable]

    /// The secrets of the call; nil for a response that no call has brought.
    package let secrets: CallSecrets?

    package init(
        value: Value,
        reply: Reply,
        droppedItems: [DroppedItem] = [],
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

    /// Returns the declared metadata of a type.
    ///
    /// - Parameter type: the type of the value.
    /// - Returns: the value; nil if it is optional and the response has none, or if no ``Metadata`` clause declares it.
    public func metadata<Metadata: Sendable>(_ type: Metadata.Type = Metadata.self) -> Metadata? {
        values[ObjectIdentifier(type)] as? Metadata
    }

    /// Returns the same response with another value.
    ///
    /// - Parameter transform: returns the other value.
    /// - Returns: the response.
    /// - Throws: the error of the closure.
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Response<Other> {
        Response<Other>(value: try transform(value), like: self)
    }

    /// Returns the URL in a header field, such as `Location`, resolved against the URL of the response.
    ///
    /// - Parameter name: the name of the field.
    /// - Returns: the URL with its fragment; nil without the field, or if its value is no HTTP URL.
    public func url(in name: HTTPField.Name) -> URL? {
        receivedFields[name].flatMap { URL.resolved($0, against: url, keepsFragment: true) }
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
    /// The version of the entity; nil if the server names none, or none that RFC 9110 allows.
    public var entityTag: EntityTag? { receivedFields.entityTag }

    /// The date of the entity's last change (RFC 9110, section 8.8.2); nil if the server does not state it.
    public var lastModified: Date? { receivedFields[.lastModified].flatMap { HTTPDate.date(from: $0) } }
}

extension IfMatch {
    /// Creates the condition for the version of a response: by its tag if that is a strong one, else by its
    /// `Last-Modified`.
    ///
    /// A response that names no version is a declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - response: the response to the read.
    ///   - comparison: the server's comparison of tags.
    public init<Value>(_ response: Response<Value>, comparison: EntityTag.Comparison = .strong) {
        self.init(versionOf: response.receivedFields, comparison: comparison)
    }
}
