import Waybill

/// An index of the cached entries and their sizes, in order of use.
struct CacheIndex: Sendable {
    private struct Node: Sendable {
        let id: CacheEntryID
        var bytes: Int
        var newer: Int?
        var older: Int?
    }

    /// The maximum number of variants per key; each lookup reads all of them.
    static let variantLimit = 8

    /// The maximum total size of all entries, in bytes.
    let limit: Int

    /// The current total size of all entries, in bytes.
    private(set) var byteCount = 0

    private var nodes: [Int: Node] = [:]
    private var numbers: [CacheEntryID: Int] = [:]
    private var variants: [CacheKey: Set<String>] = [:]
    private var owners: [String: Set<String>] = [:]
    private var newest: Int?
    private var oldest: Int?
    private var nextNumber = 0

    init(limit: Int) { self.limit = limit }

    var count: Int { nodes.count }

    func contains(_ id: CacheEntryID) -> Bool { numbers[id] != nil }

    /// Returns the entries for the given key.
    func entries(of key: CacheKey) -> [CacheEntryID] {
        (variants[key] ?? []).sorted().map { CacheEntryID(key: key, variant: $0) }
    }

    /// Returns the entries for the given URL, for all users.
    func entries(ofURL url: String) -> [CacheEntryID] {
        (owners[url] ?? []).sorted().flatMap { entries(of: CacheKey(url: url, owner: $0)) }
    }

    /// All entries, most recently used first.
    var all: [CacheEntryID] {
        sequence(state: newest) { number in
            guard let node = number.flatMap({ nodes[$0] }) else { return nil }
            number = node.older
            return node.id
        }
        .map { $0 }
    }

    /// Adds or replaces an entry, and makes it the most recently used one.
    ///
    /// - Returns: the entries evicted from the index.
    mutating func insert(_ id: CacheEntryID, bytes: Int) -> [CacheEntryID] {
        remove(id)
        let number = nextNumber
        nextNumber += 1
        numbers[id] = number
        nodes[number] = Node(id: id, bytes: bytes)
        variants[id.key, default: []].insert(id.variant)
        owners[id.key.url, default: []].insert(id.key.owner)
        byteCount += bytes
        link(number)
        var evicted = entries(of: id.key).sorted { (numbers[$0] ?? 0) < (numbers[$1] ?? 0) }.dropLast(Self.variantLimit)
            .map { $0 }
        for old in evicted { remove(old) }
        while byteCount > limit, let last = oldest.flatMap({ nodes[$0]?.id }) {
            remove(last)
            evicted.append(last)
        }
        return evicted
    }

    /// Makes an entry the most recently used one.
    mutating func touch(_ id: CacheEntryID) {
        guard let number = numbers[id], number != newest else { return }
        unlink(number)
        link(number)
    }

    mutating func remove(_ id: CacheEntryID) {
        guard let number = numbers.removeValue(forKey: id) else { return }
        unlink(number)
        byteCount -= nodes.removeValue(forKey: number)?.bytes ?? 0
        variants[id.key]?.remove(id.variant)
        guard variants[id.key]?.isEmpty ?? true else { return }
        variants[id.key] = nil
        owners[id.key.url]?.remove(id.key.owner)
        if owners[id.key.url]?.isEmpty ?? true { owners[id.key.url] = nil }
    }

    private mutating func link(_ number: Int) {
        nodes[number]?.older = newest
        nodes[number]?.newer = nil
        if let newest { nodes[newest]?.newer = number } else { oldest = number }
        newest = number
    }

    private mutating func unlink(_ number: Int) {
        guard let node = nodes[number] else { return }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
    }
}
