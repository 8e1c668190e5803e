import Waybill
@_exported import WaybillFiles
import WaybillSystem

/// A private HTTP cache (RFC 9111).
///
/// A fresh response saves a request, and a stale one may need only validation.
///
/// ```swift
/// let cache = HTTPCache(maximumBytes: 20_000_000)                     // in memory
/// let onDisk = try HTTPCache.onDisk(at: directory, maximumBytes: 100_000_000)
///
/// Client(url) { Cached(in: cache) }
/// ```
///
/// One cache can serve any number of clients. By default, callers receive only responses obtained with their own
/// credential. If the cache is full, the least recently used entries are removed.
public final class HTTPCache: Sendable {
    /// The maximum total size of all entries, in bytes.
    public let maximumBytes: Int

    /// The maximum size of one entry, in bytes; larger responses are not stored.
    public let maximumEntryBytes: Int

    /// The total size of the files from interrupted writes that were removed when the directory was opened, in bytes.
    public let bytesReclaimed: Int

    let store: any CacheStore

    // Without a salt, digests of short secrets such as passwords could be looked up in precomputed tables.
    private let salt: [UInt8]

    private let state = Locked(State())

    private struct State: Sendable {
        var nextReading = 0
        /// The reads in progress, by URL; a read that has been removed from here must not store its result.
        var readings: [String: Set<Int>] = [:]
        var revalidations: [CacheEntryID: Task<Void, Never>] = [:]
        /// The latest caller and its digest, kept because the next call usually has the same caller.
        var owner: (identity: CallerIdentity, digest: String)?
    }

    /// Creates a cache in memory.
    ///
    /// - Parameters:
    ///   - maximumBytes: the maximum total size of all entries in bytes, including their header fields.
    ///   - maximumEntryBytes: the maximum size of one entry in bytes; nil for a quarter of the total.
    public convenience init(maximumBytes: Int = 20_000_000, maximumEntryBytes: Int? = nil) {
        self.init(
            MemoryStore(limit: maximumBytes),
            salt: CacheDirectory.newSalt(),
            maximumBytes: maximumBytes,
            maximumEntryBytes: maximumEntryBytes
        )
    }

    init(_ store: any CacheStore, salt: [UInt8], maximumBytes: Int, maximumEntryBytes: Int?) {
        self.store = store
        bytesReclaimed = (store as? DiskStore)?.bytesReclaimed ?? 0
        self.salt = salt
        self.maximumBytes = maximumBytes
        self.maximumEntryBytes = min(maximumBytes, maximumEntryBytes ?? maximumBytes / 4)
    }

    /// Opens a cache in a directory, creating the directory if it is missing.
    ///
    /// Only the process's user can read or write the contents. A directory is rejected if it belongs to another user,
    /// if others can write to it, or if it is a symbolic link. Only regular files that belong to this user are opened.
    /// Files from interrupted writes are removed; ``bytesReclaimed`` is their total size.
    ///
    /// Truncated files and files with a different format version are dropped. No credentials are written: credentials
    /// and URLs are stored as digests, and `Set-Cookie` fields are omitted. Bodies are stored unencrypted. Avoid
    /// opening a directory more than once at a time: it is safe, but each cache counts only its own bytes toward the
    /// limit.
    ///
    /// - Parameters:
    ///   - directory: the directory of the cache files.
    ///   - maximumBytes: the maximum total size of all files, in bytes.
    ///   - maximumEntryBytes: the maximum size of one entry in bytes; nil for a quarter of the total.
    /// - Returns: the cache.
    /// - Throws: `DirectoryError` if the directory is rejected or inaccessible.
    public static func onDisk(
        at directory: URL,
        maximumBytes: Int = 100_000_000,
        maximumEntryBytes: Int? = nil
    ) throws(DirectoryError) -> HTTPCache {
        let directory = try CacheDirectory(directory)
        return HTTPCache(
            DiskStore(directory, limit: maximumBytes),
            salt: directory.salt,
            maximumBytes: maximumBytes,
            maximumEntryBytes: maximumEntryBytes
        )
    }

    /// The current total size of all entries, in bytes.
    public var byteCount: Int { get async { await store.byteCount() } }

    /// Removes all entries, for example when a user signs out.
    ///
    /// Responses in flight are not stored.
    public func removeAll() async {
        state.withLock { $0.readings = [:] }
        await store.removeAll()
    }

    /// Removes the responses for the given URL, for all users.
    ///
    /// Responses in flight for this URL are not stored.
    ///
    /// - Parameter url: the URL; its fragment is ignored.
    public func remove(_ url: URL) async {
        let url = digest([String(url.textWithoutFragment)])
        state.withLock { $0.readings[url] = nil }
        await store.removeAll(ofURL: url)
    }
}

// Digests of values that may be secret.
extension HTTPCache {
    func digest(_ parts: [String]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(salt.count) { $0 + $1.utf8.count + 8 })
        bytes += salt
        for part in parts {
            // The length prefix distinguishes "ab", "c" from "a", "bc".
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
        // Most responses have only one variant, which needs no digest.
        return CacheEntryID(key: key, variant: variant.names.isEmpty ? "any" : digest(variant.names + [variant.digest]))
    }
}

// Concurrent changes to the cache.
extension HTTPCache {
    /// Begins a read of a URL, whose result may be stored only if the URL's entries do not change in the meantime.
    func beginReading(_ key: CacheKey) -> Int {
        state.withLock { state in
            state.nextReading += 1
            state.readings[key.url, default: []].insert(state.nextReading)
            return state.nextReading
        }
    }

    /// Whether the URL's entries are unchanged since the read began.
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

    /// Ends a read without storing its result.
    func giveUpReading(_ reading: Int, _ key: CacheKey) { _ = endReading(reading, key) }

    /// Starts a background revalidation of an entry unless one is in progress; returns whether it was started.
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

    /// The number of reads in progress.
    var readingCount: Int { state.withLock { $0.readings.values.reduce(0) { $0 + $1.count } } }

    /// Waits until all revalidations in progress have ended.
    func waitForRevalidations() async {
        for task in state.withLock({ Array($0.revalidations.values) }) { await task.value }
    }
}

extension HTTPCache: CustomStringConvertible, CustomReflectable {
    /// The size limit, without the contents.
    public var description: String { "HTTPCache(maximumBytes: \(maximumBytes))" }

    /// The size limits, without the contents.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["maximumBytes": maximumBytes, "maximumEntryBytes": maximumEntryBytes],
            displayStyle: .class,
            ancestorRepresentation: .suppressed
        )
    }
}
