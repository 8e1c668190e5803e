/// The checksums of a walk's earlier pages, by which a server that leads it in a circle is found.
///
/// Those of the first 1,000 and of the latest 10,000 pages are kept, about half a megabyte at most: a circle that
/// begins at one of them is found when it closes.
struct PageHistory: Sendable {
    static let (mostFirst, mostLatest) = (1_000, 10_000)

    private var numbers: [UInt64: Int] = [:]
    /// The latest checksums; when it is full, the oldest gives way.
    private var latest: [UInt64] = []
    private var oldest = 0
    private var count = 0
    /// The number of kept checksums.
    var storedCount: Int { numbers.count }

    /// The number of the earlier page with the items of the last one.
    private var matched: Int?

    /// Adds a page.
    ///
    /// - Parameters:
    ///   - checksum: the checksum of its items.
    ///   - identifiesItems: whether it is that of ids. Lists without ids may have equal pages, so that two successive
    ///     ones have to be those of two earlier ones.
    /// - Returns: the number of the page of the walk, from 1, to which the server has returned; nil if it has not.
    mutating func add(_ checksum: UInt64, identifiesItems: Bool) -> Int? {
        count += 1
        let earlier = numbers[checksum]
        let before = matched
        matched = earlier
        if let earlier {
            if identifiesItems { return earlier }
            if let before, before + 1 == earlier { return before }
        }
        keep(checksum)
        return nil
    }

    private mutating func keep(_ checksum: UInt64) {
        numbers[checksum] = count
        guard count > Self.mostFirst else { return }
        if latest.count < Self.mostLatest {
            latest.append(checksum)
        } else {
            // A later page may have the same one.
            if let number = numbers[latest[oldest]], number <= count - Self.mostLatest {
                numbers[latest[oldest]] = nil
            }
            latest[oldest] = checksum
            oldest = (oldest + 1) % Self.mostLatest
        }
    }
}

/// The ids of items already returned, so that a walk can step back without repeating any.
///
/// The hashes of the latest 100,000 are kept, a few megabytes at most.
struct ReturnedIDs: Sendable {
    static let most = 100_000

    private var hashes: Set<UInt64> = []
    /// The hashes in the order in which they came; when it is full, the oldest gives way.
    private var latest: [UInt64] = []
    private var oldest = 0

    /// The number of kept hashes.
    var count: Int { hashes.count }

    /// Adds an id; returns false if an item with it was returned before.
    mutating func insert(_ hash: UInt64) -> Bool {
        guard hashes.insert(hash).inserted else { return false }
        if latest.count < Self.most {
            latest.append(hash)
        } else {
            hashes.remove(latest[oldest])
            latest[oldest] = hash
            oldest = (oldest + 1) % Self.most
        }
        return true
    }
}

/// The hashes of items' ids.
enum ItemID {
    /// Returns the function that hashes the id of an item; nil for items without ids.
    static func hash<Element>(of type: Element.Type) -> ((Element) -> UInt64)? {
        (type as? any Identifiable.Type).map { hash($0) }
    }

    private static func hash<Item: Identifiable, Element>(_ type: Item.Type) -> (Element) -> UInt64 {
        { element in
            var hasher = Hasher()
            if let item = element as? Item { hasher.combine(item.id) }
            return UInt64(truncatingIfNeeded: hasher.finalize())
        }
    }
}
