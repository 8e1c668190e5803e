import Foundation

/// A response as a cache keeps it: complete, with what is needed to know its age.
struct StoredResponse: Sendable, Equatable {
    var status: HTTPResponse.Status
    var headerFields: HTTPFields
    var body: Data

    /// When the request was sent and when its answer came, by this machine's date.
    var requestDate: Date
    var responseDate: Date

    /// The request fields that the answer was chosen by, and their values as a digest: they may be secret.
    var variant: Variant

    /// The parsed directives; parsed each time that they are asked for.
    var control: CacheControl { CacheControl(headerFields) }

    /// Roughly how much room it takes.
    var byteCount: Int {
        headerFields.reduce(body.count + 256) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 32 }
    }
}

extension StoredResponse {
    /// The answer as a request gets it from the cache: with its age, and without the fields that may not be used again
    /// before the server has been asked.
    func response(to request: HTTPRequest, now: Date, isValidated: Bool) -> HTTPResponse {
        var fields = headerFields
        if !isValidated {
            for name in control.fieldNames("no-cache") { fields.removeAll(named: name) }
        }
        fields.removeAll(named: .age)
        if let age = HTTPField(name: .age, value: "\(Int(min(max(0, age(at: now)), 2_147_483_648).rounded(.down)))") {
            fields.append(age)
        }
        let body = request.method == .head ? Data() : body
        var response = HTTPResponse(status: status, headerFields: fields, body: HTTPBody(body), url: request.url.value)
        response.request = request
        response.attempt = request.attempt
        response.isRead = true
        return response
    }

    /// Takes over what a 304 says (RFC 9111, section 3.2): its fields in place of the stored ones of the same name,
    /// except for those that describe the bytes that are stored.
    func updated(by response: HTTPResponse, requestDate: Date, responseDate: Date) -> StoredResponse {
        var updated = self
        let new = response.headerFields.storable.filter { !Self.keptFields.contains($0.name.canonicalName) }
        for name in Set(new.map(\.name)) { updated.headerFields.removeAll(named: name) }
        // It was made now, then, as any answer is that does not say when (RFC 9110, section 6.6.1).
        if !new.contains(where: { $0.name == .date }) { updated.headerFields.removeAll(named: .date) }
        // How old the stored answer was says nothing of the one that has just been confirmed.
        updated.headerFields.removeAll(named: .age)
        updated.headerFields.append(contentsOf: new)
        updated.requestDate = requestDate
        updated.responseDate = responseDate
        return updated
    }

    /// The same, selected by the fields that its `Vary` names now; nil where no request is ever known to get it.
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
    /// The fields that are kept: those of the connection (RFC 9111, section 3.1) and new cookies are left out.
    ///
    /// A cookie that is set again each time that a stored answer is used would undo what the server did since.
    var storable: HTTPFields {
        let connection = self[values: .connection].flatMap { $0.split { ", \t".contains($0) } }.map(\.asciiLowercased)
        let left = Self.neverStored.union(connection)
        return HTTPFields(filter { !left.contains($0.name.canonicalName) }).detached
    }

    private static let neverStored: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie", "set-cookie2",
    ]
}
