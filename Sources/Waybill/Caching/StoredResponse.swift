import WaybillSystem

/// A response in a cache: complete, with the dates that its age is computed from.
struct StoredResponse: Sendable, Equatable {
    var status: HTTPResponse.Status
    var headerFields: HTTPFields {
        didSet { control = CacheControl(headerFields) }
    }
    var body: Data

    /// The date at which the request was sent, by this machine's clock.
    var requestDate: Date
    var responseDate: Date

    /// The request fields that selected the response, and their values as a digest: they may be secret.
    var variant: Variant

    /// The directives of its `Cache-Control`, which each use of it needs.
    private(set) var control: CacheControl

    init(
        status: HTTPResponse.Status,
        headerFields: HTTPFields,
        body: Data,
        requestDate: Date,
        responseDate: Date,
        variant: Variant
    ) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.requestDate = requestDate
        self.responseDate = responseDate
        self.variant = variant
        control = CacheControl(headerFields)
    }

    /// Its approximate size in bytes.
    var byteCount: Int {
        headerFields.reduce(body.count + 256) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 32 }
    }
}

extension StoredResponse {
    /// Returns the response that a request gets from the cache: with its age, and without the fields that may not be
    /// used again before the server has been asked.
    func response(to request: CallRequest, now: Date, isValidated: Bool) -> CallResponse {
        var fields = headerFields
        if !isValidated {
            for name in control.fieldNames("no-cache") { fields.removeAll(named: name) }
        }
        fields.removeAll(named: .age)
        let age = Int(min(max(0, age(at: now)), 2_147_483_648).rounded(.down))
        fields.append(HTTPField(name: .age, value: "\(age)"))
        let body = request.method == .head ? Data() : body
        let message = HTTPResponse(status: status, headerFields: fields, body: HTTPBody(body), url: request.url)
        var response = CallResponse(message, to: request)
        response.isRead = true
        return response
    }

    /// Takes over what a 304 says (RFC 9111, section 3.2): its fields in place of the stored ones of the same name,
    /// except for those that describe the bytes that are stored.
    func updated(by response: HTTPResponse, requestDate: Date, responseDate: Date) -> StoredResponse {
        var updated = self
        let new = response.headerFields.storable.filter { !Self.keptFields.contains($0.name.canonicalName) }
        var fields = headerFields
        for name in Set(new.map(\.name)) { fields.removeAll(named: name) }
        // A response without a date is taken to be made now (RFC 9110, section 6.6.1).
        if !new.contains(where: { $0.name == .date }) { fields.removeAll(named: .date) }
        // The age of the stored response says nothing about the confirmed one.
        fields.removeAll(named: .age)
        fields.append(contentsOf: new)
        updated.headerFields = fields
        updated.requestDate = requestDate
        updated.responseDate = responseDate
        return updated
    }

    /// Returns the same response, selected by the fields that its `Vary` names now; nil if no request could ever select
    /// it.
    func selected(by request: HTTPRequest, digest: ([String]) -> String) -> StoredResponse? {
        guard let variant = Variant(of: headerFields, to: request, digest: digest) else { return nil }
        var selected = self
        selected.variant = variant
        return selected
    }

    private static let keptFields: Set<String> = [
        "content-length", "content-encoding", "content-range", "content-type", "content-md5",
    ]
}

extension HTTPFields {
    /// The fields that are stored: those of the connection (RFC 9111, section 3.1) and new cookies are left out.
    ///
    /// A cookie that is set again with each use of a stored response would undo later changes of the server.
    var storable: HTTPFields {
        let connection = self[values: .connection].flatMap { $0.split { ", \t".contains($0) } }.map(\.asciiLowercased)
        let left = Self.neverStored.union(connection)
        return HTTPFields(filter { !left.contains($0.name.canonicalName) })
    }

    private static let neverStored: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie", "set-cookie2",
    ]
}
