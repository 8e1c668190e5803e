/// The key of responses: a URL and a user.
///
/// Both are digests, which reveal neither.
struct CacheKey: Sendable, Hashable {
    let url: String
    let owner: String
}

/// The id of one of several responses for a key.
struct CacheEntryID: Sendable, Hashable {
    let key: CacheKey
    /// A digest of the fields that selected the response.
    let variant: String
}
