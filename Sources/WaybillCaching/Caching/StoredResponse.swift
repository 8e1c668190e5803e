import Waybill
import WaybillSystem

/// A complete response in a cache, with the dates used to compute its age.
struct StoredResponse: Sendable, Equatable {
    var status: HTTPResponse.Status
    var headerFields: HTTPFields {
        didSet { control = CacheControl(headerFields) }
    }
    var body: Data

    /// The date when the request was sent, by the local clock.
    var requestDate: Date
    var responseDate: Date

    /// The request fields that selected the response, with a digest of their values, which may be secret.
    var variant: Variant

    /// The directives of `Cache-Control`, parsed once because every lookup needs them.
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

    /// The approximate size in bytes.
    var byteCount: Int {
        headerFields.reduce(body.count + 256) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 32 }
    }
}

extension StoredResponse {
    /// Returns the response to a request, with its current age and without any fields that require validation first.
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

    /// Returns the response updated by a 304: fields of the 304 replace stored ones, except those that describe the
    /// stored body (RFC 9111, section 3.2).
    func updated(by response: HTTPResponse, requestDate: Date, responseDate: Date) -> StoredResponse {
        var updated = self
        let new = response.headerFields.storable.filter { !Self.keptFields.contains($0.name.canonicalName) }
        var fields = headerFields
        for name in Set(new.map(\.name)) { fields.removeAll(named: name) }
        // A 304 without a date is treated as generated when it arrives (RFC 9110, section 6.6.1).
        if !new.contains(where: { $0.name == .date }) { fields.removeAll(named: .date) }
        // The age of the stored response does not apply to the validated one.
        fields.removeAll(named: .age)
        fields.append(contentsOf: new)
        updated.headerFields = fields
        updated.requestDate = requestDate
        updated.responseDate = responseDate
        return updated
    }

    /// Returns the response with the variant of its current `Vary` field; nil if no request can match it.
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
    /// The fields to store: all except those of the connection (RFC 9111, section 3.1) and `Set-Cookie`.
    ///
    /// Setting a stored cookie again with each use would undo later changes to the cookie.
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
