import Waybill

/// The key of cache entries: a URL, a user and, for a QUERY request, its content.
///
/// All parts are digests, so they reveal no secrets.
struct CacheKey: Sendable, Hashable {
    let url: String
    /// The user and, for a QUERY request, its content (RFC 10008, section 2.7).
    let owner: String
}

/// The ID of a stored response: its key and variant.
struct CacheEntryID: Sendable, Hashable {
    let key: CacheKey
    /// A digest of the request fields that selected the response.
    let variant: String
}

extension CallRequest {
    /// Whether a cache key can identify the request: it has no body, or it is a QUERY request with its body in memory.
    var hasCacheableContent: Bool { body == nil || (method == .query && body?.bytes != nil) }

    /// The header fields that describe the content, sorted; they are part of the key of a QUERY request.
    var contentMetadata: [String] {
        headerFields.filter {
            $0.name.canonicalName.hasPrefix("content-") && $0.name != .contentLength
        }.map { "\($0.name.canonicalName): \($0.value)" }.sorted()
    }
}
