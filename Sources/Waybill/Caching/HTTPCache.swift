import Foundation

/// A private HTTP cache (RFC 9111): answers that need not be asked for again, or that the server only has to confirm.
///
/// ```swift
/// let cache = HTTPCache(bytes: 20_000_000)                     // in memory
/// let onDisk = try HTTPCache.onDisk(at: directory, bytes: 100_000_000)
///
/// Client(url) { Cached(in: cache) }
/// ```
///
/// An app makes one and gives it to as many clients as it likes. Each caller gets answers that were given to the same
/// credential only. When the room is used up, the entries that were used longest ago go.
public final class HTTPCache: Sendable {
    /// The most bytes that all entries may take.
    public let limit: Int

    /// The most bytes that one entry may take: larger answers are not kept.
    public let entryLimit: Int

    /// The bytes of files that interrupted writes had left in the directory, and that were removed when it was opened.
    public let reclaimedByteCount: Int

    let store: any CacheStore

    // Digests of small secrets, a password perhaps, could be looked up without it.
    private let salt: [UInt8]

    private let state = Locked(State())

    private struct State: Sendable {
        var nextReading = 0
        /// The readings that are under way, by URL; one that is not in here any more must not store what it read.
        var readings: [String: Set<Int>] = [:]
        var revalidations: [CacheEntryID: Task<Void, Never>] = [:]
    }

    /// Makes a cache in memory.
    ///
    /// - Parameters:
    ///   - bytes: the most bytes that all entries may take, their header fields included.
    ///   - entryBytes: the most bytes that one entry may take; by default a quarter of them all.
    public convenience init(bytes: Int = 20_000_000, entryBytes: Int? = nil) {
        self.init(MemoryStore(limit: bytes), salt: CacheDirectory.newSalt(), bytes, entryBytes)
    }

    init(_ store: any CacheStore, salt: [UInt8], _ bytes: Int, _ entryBytes: Int?) {
        self.store = store
        reclaimedByteCount = (store as? DiskStore)?.reclaimedByteCount ?? 0
        self.salt = salt
        limit = bytes
        entryLimit = min(bytes, entryBytes ?? bytes / 4)
    }

    /// Opens a cache in a directory, which is created if there is none.
    ///
    /// Only the user who runs the process can read or write what is in it: a directory that belongs to another user,
    /// that others can write, or that is a symbolic link is rejected. In it only regular files of that user are opened.
    /// Files that an interrupted write has left are removed; ``reclaimedByteCount`` has their bytes.
    ///
    /// Files that are cut, or that another version has written, are dropped. Secrets are not among what is written:
    /// credentials and URLs are there as digests, cookies that are set not at all; bodies are there as they came. Two
    /// caches should not use one directory at the same time; nothing wrong comes of it, but they do not count each
    /// other's bytes.
    ///
    /// - Parameters:
    ///   - directory: where the files are.
    ///   - bytes: the most bytes that all files may have.
    ///   - entryBytes: the most bytes that one entry may take; by default a quarter of them all.
    /// - Throws: ``DirectoryError``, which names the directory, what is wrong with it, and the way out.
    public static func onDisk(
        at directory: URL,
        bytes: Int = 100_000_000,
        entryBytes: Int? = nil
    ) throws(DirectoryError) -> HTTPCache {
        let directory = try CacheDirectory(directory)
        return HTTPCache(DiskStore(directory, limit: bytes), salt: directory.salt, bytes, entryBytes)
    }

    /// The bytes that the entries take.
    public var byteCount: Int { get async { await store.byteCount() } }

    /// Removes every entry, when a user signs out, say.
    ///
    /// What is still on its way is not kept.
    public func removeAll() async {
        state.withLock { $0.readings = [:] }
        await store.removeAll()
    }

    /// Removes the answers for a URL, whosever they are.
    ///
    /// What is still on its way from there is not kept.
    public func remove(_ url: URL) async {
        let url = digest([Self.text(of: url)])
        state.withLock { $0.readings[url] = nil }
        await store.removeAll(ofURL: url)
    }
}

// Names of what is secret, or may be.
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
        return String(SHA256.hexadecimal(bytes).prefix(32))
    }

    func key(of url: URL, owner: CallerIdentity) -> CacheKey {
        CacheKey(url: digest([Self.text(of: url)]), owner: digest(["owner"] + owner.parts))
    }

    func id(of response: StoredResponse, _ key: CacheKey) -> CacheEntryID {
        let variant = response.variant
        // Most answers have no other variant: nothing is computed for them.
        return CacheEntryID(key: key, variant: variant.names.isEmpty ? "any" : digest(variant.names + [variant.digest]))
    }

    private static func text(of url: URL) -> String { String(url.absoluteString.prefix { $0 != "#" }) }
}

// What goes on at the same time.
extension HTTPCache {
    /// Begins to read what is at a URL; what is read may be stored only if nobody has changed it meanwhile.
    func beginReading(_ key: CacheKey) -> Int {
        state.withLock { state in
            state.nextReading += 1
            state.readings[key.url, default: []].insert(state.nextReading)
            return state.nextReading
        }
    }

    /// Whether nobody has changed what is being read.
    func isCurrent(_ reading: Int, _ key: CacheKey) -> Bool {
        state.withLock { $0.readings[key.url]?.contains(reading) ?? false }
    }

    /// Ends a reading, and says whether what was read may be stored.
    func endReading(_ reading: Int, _ key: CacheKey) -> Bool {
        state.withLock { state in
            let isCurrent = state.readings[key.url]?.remove(reading) != nil
            if state.readings[key.url]?.isEmpty ?? false { state.readings[key.url] = nil }
            return isCurrent
        }
    }

    /// Ends a reading of which nothing will be stored.
    func giveUpReading(_ reading: Int, _ key: CacheKey) { _ = endReading(reading, key) }

    /// Asks the server about an entry, aside from any call, unless that is being done already; says whether it begins.
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

    /// How many readings are under way.
    var readingCount: Int { state.withLock { $0.readings.values.reduce(0) { $0 + $1.count } } }

    /// Waits until the server has answered for the entries that are being asked about now.
    func waitForRevalidations() async {
        for task in state.withLock({ Array($0.revalidations.values) }) { await task.value }
    }
}

extension HTTPCache: CustomStringConvertible, CustomReflectable {
    /// Its limit; nothing of what is in it.
    public var description: String { "HTTPCache(bytes: \(limit))" }

    /// Its limits; nothing of what is in it.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["limit": limit, "entryLimit": entryLimit],
            displayStyle: .class,
            ancestorRepresentation: .suppressed
        )
    }
}
