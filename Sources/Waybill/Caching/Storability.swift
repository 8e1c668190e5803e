#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension StoredResponse {
    /// Creates the stored form of a response; nil if it may not be stored, or could never be used (RFC 9111, section
    /// 3).
    ///
    /// - Parameters:
    ///   - response: the response, whose body has been read.
    ///   - request: the request that the cache got.
    ///   - requestDate: the date at which the request was sent.
    ///   - responseDate: the date at which the response came.
    ///   - allowsHeuristicFreshness: whether responses without an explicit lifetime count as fresh for a while.
    ///   - digest: the digest of the values of fields.
    init?(
        _ response: CallResponse,
        to request: HTTPRequest,
        requestDate: Date,
        responseDate: Date,
        allowsHeuristicFreshness: Bool,
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
            Self.heuristicallyCacheable.contains(status.code) || hasExplicitLifetime,
            hasValidator || lifetime(allowsHeuristicFreshness: allowsHeuristicFreshness) > 0
        else { return nil }
    }

    /// Whether the body has as many bytes as the server stated, if it stated the number for these bytes and not for a
    /// coded form.
    private func isComplete(_ fields: HTTPFields) -> Bool {
        guard !fields.contains(.contentEncoding), !fields.contains(.transferEncoding),
            let length = fields[.contentLength], status != 204
        else { return true }
        return Int(length) == body.count
    }
}
