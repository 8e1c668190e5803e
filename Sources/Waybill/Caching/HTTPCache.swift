import WaybillSystem

/// A private HTTP cache (RFC 9111): responses that need not be requested again, or that the server only has to confirm.
///
/// ```swift
/// let cache = HTTPCache(bytes: 20_000_000)                     // in memory
/// let onDisk = try HTTPCache.onDisk(at: directory, bytes: 100_000_000)
///
/// Client(url) { Cached(in: cache) }
/// ```
///
/// An app creates one and gives it to as many clients as it likes. Each caller gets responses that were given to the
/// same credential only. If the cache is full, the least recently used entries are removed.
public final class HTTPCache: Sendable {
    /// The most bytes that all entries may take.
    public let limit: Int

    /// The most bytes that one entry may take: larger responses are not kept.
    public let entryLimit: Int

    /// The bytes of files that interrupted writes had left in the directory, and that were removed when it was opened.
    public let reclaimedByteCount: Int

    let store: any CacheStore

    // Digests of small secrets, a password perhaps, could be looked up without it.
    private let salt: [UInt8]

    private let state = Locked(State())

    private struct State: Sendable {
        var nextReading = 0
        /// The reads in progress, by URL; one that was removed from here must not store its result.
        var readings: [String: Set<Int>] = [:]
        var revalidations: [CacheEntryID: Task<Void, Never>] = [:]
        /// The most recent caller with its digest; the next call usually has the same caller.
        var owner: (identity: CallerIdentity, digest: String)?
    }

    /// Makes a cache in memory.
    ///
    /// - Parameters:
    ///   - bytes: the most bytes that all entries may take, their header fields included.
    ///   - entryBytes: the most bytes that one entry may take; by default a quarter of them all.
    public convenience init(bytes: Int = 20_000_000, entryBytes: Int? = nil) {
        self.init(MemoryStore(limit: bytes), salt: CacheDirectory.newSalt(), bytes: bytes, entryBytes: entryBytes)
    }

    init(_ store: any CacheStore, salt: [UInt8], bytes: Int, entryBytes: Int?) {
        self.store = store
        reclaimedByteCount = (store as? DiskStore)?.reclaimedByteCount ?? 0
        self.salt = salt
        limit = bytes
        entryLimit = min(bytes, entryBytes ?? bytes / 4)
    }

    /// Opens a cache in a directory, which is created if it is missing.
    ///
    /// Only the user who runs the process can read or write what is in it: a directory that belongs to another user,
    /// that others can write, or that is a symbolic link is rejected. In it only regular files of that user are opened.
    /// Files that an interrupted write has left are removed; ``reclaimedByteCount`` has their bytes.
    ///
    /// Files that are cut, or that another version has written, are dropped. No secrets are written: credentials and
    /// URLs are stored as digests, `Set-Cookie` not at all; bodies are stored as they came. Two caches should not use
    /// one directory at the same time; nothing wrong comes of it, but they do not count each other's bytes.
    ///
    /// - Parameters:
    ///   - directory: the directory of the files.
    ///   - bytes: the most bytes that all files may have.
    ///   - entryBytes: the most bytes that one entry may take; by default a quarter of them all.
    /// - Returns: the cache.
    /// - Throws: ``DirectoryError``, with the directory, the reason and the way out.
    public static func onDisk(
        at directory: URL,
        bytes: Int = 100_000_000,
        entryBytes: Int? = nil
    ) throws(DirectoryError) -> HTTPCache {
        let directory = try CacheDirectory(directory)
        return HTTPCache(DiskStore(directory, limit: bytes), salt: directory.salt, bytes: bytes, entryBytes: entryBytes)
    }

    /// The bytes that the entries take.
    public var byteCount: Int { get async { await store.byteCount() } }

    /// Removes every entry, for example when a user signs out.
    ///
    /// A response that is still in flight is not kept.
    public func removeAll() async {
        state.withLock { $0.readings = [:] }
        await store.removeAll()
    }

    /// Removes the responses for a URL, of all users.
    ///
    /// A response that is still in flight is not kept.
    public func remove(_ url: URL) async {
        let url = digest([String(url.textWithoutFragment)])
        state.withLock { $0.readings[url] = nil }
        await store.removeAll(ofURL: url)
    }
}

// Names of fields that are secret, or may be.
extension HTTPCache {
    func digest(_ parts: [String]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(salt.count) { $0 + $1.utf8.count + 8 })
        bytes += salt
        for part in parts {
            // The length in front keeps "ab", "c" and "a", "bc" apart.
            bytes += "\(part.utf8.count):".utf8
            bytes += part.utf8
        }
        return SHA256.hexadecimal(bytes, digitCount: 32)
    }

    func key(of request: CallRequest, owner: CallerIdentity) -> CacheKey {
        let url = digest([String(request.url.textWithoutFragment)])
        guard request.method == .query else { return CacheKey(url: url, owner: digest(of: owner)) }
        let content = SHA256.hexadecimal(salt + (request.body?.bytes ?? Data()), digitCount: 64)
        return CacheKey(url: url, owner: digest(["query", digest(of: owner), content] + request.contentMetadata))
    }

    private func digest(of owner: CallerIdentity) -> String {
        if let known = state.withLock({ $0.owner }), known.identity == owner { return known.digest }
        let digest = digest(["owner"] + owner.parts)
        state.withLock { $0.owner = (owner, digest) }
        return digest
    }

    func id(of response: StoredResponse, _ key: CacheKey) -> CacheEntryID {
        let variant = response.variant
        // Most responses have no other variant: nothing is computed for them.
        return CacheEntryID(key: key, variant: variant.names.isEmpty ? "any" : digest(variant.names + [variant.digest]))
    }
}

// Concurrent changes of the cache.
extension HTTPCache {
    /// Begins a read of a URL; its result may be stored only if no change came meanwhile.
    func beginReading(_ key: CacheKey) -> Int {
        state.withLock { state in
            state.nextReading += 1
            state.readings[key.url, default: []].insert(state.nextReading)
            return state.nextReading
        }
    }

    /// Whether no change came since the read began.
    func isCurrent(_ reading: Int, _ key: CacheKey) -> Bool {
        state.withLock { $0.readings[key.url]?.contains(reading) ?? false }
    }

    /// Ends a read, and returns whether its result may be stored.
    func endReading(_ reading: Int, _ key: CacheKey) -> Bool {
        state.withLock { state in
            let isCurrent = state.readings[key.url]?.remove(reading) != nil
            if state.readings[key.url]?.isEmpty ?? false { state.readings[key.url] = nil }
            return isCurrent
        }
    }

    /// Ends a reading of which nothing will be stored.
    func giveUpReading(_ reading: Int, _ key: CacheKey) { _ = endReading(reading, key) }

    /// Revalidates an entry, aside from any call, unless that is in progress already; returns whether it begins.
    func revalidateOnce(_ id: CacheEntryID, _ work: @escaping @Sendable () async -> Void) -> Bool {
        state.withLock { state in
            guard state.revalidations[id] == nil else { return false }
            state.revalidations[id] = Task {
                await work()
                self.state.withLock { $0.revalidations[id] = nil }
            }
            return true
        }
    }

    /// The number of reads in flight.
    var readingCount: Int { state.withLock { $0.readings.values.reduce(0) { $0 + $1.count } } }

    /// Waits until the server has responded for the entries that are being revalidated.
    func waitForRevalidations() async {
        for task in state.withLock({ Array($0.revalidations.values) }) { await task.value }
    }
}

extension HTTPCache: CustomStringConvertible, CustomReflectable {
    /// Its limit, without the content.
    public var description: String { "HTTPCache(bytes: \(limit))" }

    /// Its limits, without the content.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["limit": limit, "entryLimit": entryLimit],
            displayStyle: .class,
            ancestorRepresentation: .suppressed
        )
    }
}
