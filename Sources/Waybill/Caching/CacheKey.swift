/// The key of responses: a URL, a user and, for a QUERY, its content.
///
/// All are digests, which reveal nothing.
struct CacheKey: Sendable, Hashable {
    let url: String
    /// The user; for a QUERY, the user together with the content (RFC 10008, section 2.7).
    let owner: String
}

/// The id of one of several responses for a key.
struct CacheEntryID: Sendable, Hashable {
    let key: CacheKey
    /// A digest of the fields that selected the response.
    let variant: String
}

extension CallRequest {
    /// Whether a cache can tell the request from others: it has no body, or is a QUERY with its body in memory.
    var hasCacheableContent: Bool { body == nil || (method == .query && body?.bytes != nil) }

    /// The fields that describe the content of a request, and are part of the key of a QUERY, in a fixed order.
    var contentMetadata: [String] {
        headerFields.filter {
            $0.name.canonicalName.hasPrefix("content-") && $0.name != .contentLength
        }.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }
}
