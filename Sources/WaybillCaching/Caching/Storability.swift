import Waybill
import WaybillSystem

extension StoredResponse {
    /// Creates the stored form of a response; returns nil if it must not be stored or could never be used (RFC 9111,
    /// section 3).
    ///
    /// - Parameters:
    ///   - response: the response; if its body has not been read, it is not stored.
    ///   - request: the request as the cache received it.
    ///   - requestDate: the date when the request was sent.
    ///   - responseDate: the date when the response arrived.
    ///   - allowsHeuristicFreshness: whether a response without an explicit lifetime may have a heuristic one.
    ///   - digest: a closure that returns a digest of field values.
    init?(
        _ response: CallResponse,
        to request: HTTPRequest,
        requestDate: Date,
        responseDate: Date,
        allowsHeuristicFreshness: Bool,
        digest: ([String]) -> String
    ) {
        guard request.method.isStorable, response.isRead, !response.isBodyTruncated, response.droppedBytes == 0,
            let body = response.body.bytes,
            Self.mayBeStored(response.status, CacheControl(response.headerFields)),
            let variant = Variant(of: response.headerFields, to: request, digest: digest)
        else { return nil }
        self.init(
            status: response.status,
            headerFields: response.headerFields.storable,
            body: body,
            requestDate: requestDate,
            responseDate: responseDate,
            variant: variant
        )
        let control = CacheControl(response.headerFields)
        guard !control.isMalformed, isComplete(response.headerFields),
            Self.heuristicallyCacheable.contains(status.code) || hasExplicitLifetime || control.contains("public"),
            hasValidator || lifetime(allowsHeuristicFreshness: allowsHeuristicFreshness) > 0
        else { return nil }
    }

    /// Whether the status and directives of a response permit storing it (RFC 9111, section 3).
    static func mayBeStored(_ status: HTTPResponse.Status, _ control: CacheControl) -> Bool {
        guard (200...599).contains(status.code), !unstorable.contains(status.code) else { return false }
        guard control.contains("must-understand") else { return !control.contains("no-store") }
        return understood.contains(status.code)
    }

    /// 206 (Partial Content), the statuses that apply to one request only (RFC 9110, sections 15.4.5 and 15.5), and
    /// those that must not be stored (RFC 6585).
    private static let unstorable: Set<Int> = [206, 304, 401, 407, 408, 412, 416, 417, 425, 428, 429, 431, 511]

    /// Whether the body has the length stated by the server; true if the stated length does not apply to the decoded
    /// body.
    private func isComplete(_ fields: HTTPFields) -> Bool {
        guard !fields.contains(.contentEncoding), !fields.contains(.transferEncoding),
            let length = fields[.contentLength], status != 204
        else { return true }
        return Int(length) == body.count
    }
}

extension HTTPRequest.Method {
    /// Whether responses to the method can be stored: true for GET, and for QUERY keyed by content (RFC 10008, section
    /// 2.7).
    var isStorable: Bool { self == .get || self == .query }
}
