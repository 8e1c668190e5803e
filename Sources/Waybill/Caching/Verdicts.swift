// What requests, answers and failures mean to a cache.

extension HTTPRequest {
    var isConditional: Bool {
        headerFields.contains(.ifNoneMatch) || headerFields.contains(.ifModifiedSince)
    }
}

extension HTTPResponse {
    /// Whether it says what there is at its URL, and not only that this request was refused.
    var isVerdict: Bool {
        status.kind == .successful || status.kind == .redirection || status == 404 || status == 410
    }
}

extension StoredResponse {
    /// Whether a 304 is about this answer: it names no other version (RFC 9111, section 4.3.4).
    func isConfirmed(by response: HTTPResponse) -> Bool {
        guard let tag = response.headerFields.entityTag, let own = headerFields.entityTag else { return true }
        return tag.matchesWeakly(own)
    }

    /// Whether the answer to a HEAD describes this one (RFC 9111, section 4.3.5); any other answer takes its place.
    func isDescribed(by response: HTTPResponse, to request: HTTPRequest) -> Bool {
        guard request.method == .head, response.status == status else { return false }
        return [HTTPField.Name.eTag, .lastModified].allSatisfy { name in
            response.headerFields[name] == nil || response.headerFields.hasSameValue(as: headerFields, of: name)
        } && hasLength(of: response)
    }

    /// Whether it is as long as another answer says, as far as lengths in the same content coding can be compared.
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
    /// Whether no answer came because of the server, or the way to it.
    var isFailureOfServer: Bool {
        switch self {
        // The call's own limit says nothing of the server.
        case .transport(let failure): failure.error.kind != .bodyTooLarge
        // The time limit of a call that a middleware makes on the way; this call's own ends it from outside.
        case .timeout: true
        case .middleware, .refused: true
        case .status(let failure): failure.category == .serverError
        default: false
        }
    }
}
