// The effects of requests, responses and failures on a cache.

extension HTTPRequest {
    var isConditional: Bool {
        headerFields.contains(.ifNoneMatch) || headerFields.contains(.ifModifiedSince)
    }
}

extension HTTPResponse {
    /// Whether it states what is at its URL, and not only that this request was rejected.
    var describesTarget: Bool {
        status.kind == .successful || status.kind == .redirection || status == 404 || status == 410
    }
}

extension StoredResponse {
    /// Whether a 304 is about this response: it names no other version (RFC 9111, section 4.3.4).
    func isConfirmed(by response: HTTPResponse) -> Bool {
        guard let tag = response.headerFields.entityTag, let own = headerFields.entityTag else { return true }
        return tag.matchesWeakly(own)
    }

    /// Whether the response to a HEAD describes this one (RFC 9111, section 4.3.5); if not, it replaces this one.
    func isDescribed(by response: HTTPResponse, to request: HTTPRequest) -> Bool {
        guard request.method == .head, response.status == status else { return false }
        return [HTTPField.Name.eTag, .lastModified].allSatisfy { name in
            response.headerFields[name] == nil || response.headerFields.hasSameValue(as: headerFields, of: name)
        } && hasLength(of: response)
    }

    /// Whether its length is that of another response, as far as lengths in the same content coding can be compared.
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
    /// Whether the server, or the network, is the cause of the failure.
    var isFailureOfServer: Bool {
        switch self {
        // The call's own limit says nothing about the server.
        case .transport(let failure): failure.error.kind != .bodyTooLarge
        // The time limit of a call that a middleware makes on the way; this call's own ends it from outside.
        case .timeout: true
        case .middleware, .rejected: true
        case .status(let failure): failure.category == .serverError
        default: false
        }
    }
}
