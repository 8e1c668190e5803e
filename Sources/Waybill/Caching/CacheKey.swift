/// What answers are kept by: a URL, and whose answers they are.
///
/// Both are digests, which tell neither.
struct CacheKey: Sendable, Hashable {
    let url: String
    let owner: String
}

/// One answer of several for a key.
struct CacheEntryID: Sendable, Hashable {
    let key: CacheKey
    /// A digest of the fields by which the answer was chosen.
    let variant: String
}
