import Foundation

extension StoredResponse {
    /// An answer as it is kept; nil for one that may not be kept, or never could be used (RFC 9111, section 3).
    ///
    /// - Parameters:
    ///   - response: the answer, whose body has been read.
    ///   - request: what was asked of the cache.
    ///   - digest: how the values of fields are named.
    init?(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        requestDate: Date,
        responseDate: Date,
        guesses: Bool,
        digest: ([String]) -> String
    ) {
        guard request.method == .get, response.isRead, !response.isBodyTruncated, let body = response.body.bytes,
            Self.understood.contains(response.status.code),
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
        guard !control.isMalformed, !control.contains("no-store"), isComplete(response.headerFields),
            Self.guessable.contains(status.code) || hasExplicitLifetime,
            hasValidator || lifetime(guesses: guesses) > 0
        else { return nil }
    }

    /// Whether the bytes are as many as the server said, where it said so of these bytes and not of a coded form.
    private func isComplete(_ fields: HTTPFields) -> Bool {
        guard !fields.contains(.contentEncoding), !fields.contains(.transferEncoding),
            let length = fields[.contentLength], status != 204
        else { return true }
        return Int(length) == body.count
    }
}
