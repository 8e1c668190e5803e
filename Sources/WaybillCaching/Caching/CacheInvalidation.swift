import Waybill

// The effect of messages and failures on a cache.

extension HTTPRequest {
    var isConditional: Bool {
        headerFields.contains(.ifNoneMatch) || headerFields.contains(.ifModifiedSince)
    }
}

extension HTTPResponse {
    /// Whether the response describes the resource at its URL, rather than only rejecting the request.
    var describesTarget: Bool {
        status.kind == .successful || status.kind == .redirection || status == 404 || status == 410
    }
}

extension StoredResponse {
    /// Whether a 304 confirms this response: their entity tags match, or at least one has no tag (RFC 9111, section
    /// 4.3.4).
    func isConfirmed(by response: HTTPResponse) -> Bool {
        guard let tag = response.headerFields.entityTag, let own = headerFields.entityTag else { return true }
        return tag.matchesWeakly(own)
    }

    /// Whether the response to a HEAD request still describes this one (RFC 9111, section 4.3.5).
    func isDescribed(by response: HTTPResponse, to request: HTTPRequest) -> Bool {
        guard request.method == .head, response.status == status else { return false }
        return [HTTPField.Name.eTag, .lastModified].allSatisfy { name in
            response.headerFields[name] == nil || response.headerFields.hasSameValue(as: headerFields, of: name)
        } && hasLength(of: response)
    }

    /// Whether the stored body has the length stated by a response; true if the lengths cannot be compared.
    private func hasLength(of response: HTTPResponse) -> Bool {
        let (own, others) = (headerFields, response.headerFields)
        guard let length = others[.contentLength].flatMap({ Int($0) }), !others.contains(.transferEncoding),
            own.hasSameValue(as: others, of: .contentEncoding)
        else { return true }
        guard own.contains(.contentEncoding) else { return length == body.count }
        return own[.contentLength].flatMap { Int($0) }.map { $0 == length } ?? true
    }
}

extension APIError {
    /// Whether the server, the network or an inner step caused the failure, so that a stale response may be used
    /// instead.
    var isFailureOfServer: Bool {
        switch self {
        // The body limit is set by the call, not by the server.
        case .transport(let failure): failure.error.kind != .bodyTooLarge
        // A call made by middleware timed out. This call's own timeout would cancel its task instead.
        case .timeout: true
        case .middleware, .rejected: true
        case .status(let failure): failure.category == .serverError
        default: false
        }
    }
}
