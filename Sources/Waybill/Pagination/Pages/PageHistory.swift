/// The checksums of a walk's earlier pages, used to detect pagination loops.
///
/// The first 1,000 and the latest 10,000 checksums are kept: half a megabyte at most. A cycle that starts at one of
/// these pages is detected when the walk returns there.
struct PageHistory: Sendable {
    static let (mostFirst, mostLatest) = (1_000, 10_000)

    private var numbers: [UInt64: Int] = [:]
    /// A ring buffer of the latest checksums.
    private var latest: [UInt64] = []
    private var oldest = 0
    private var count = 0
    /// The number of stored checksums.
    var storedCount: Int { numbers.count }

    /// The number of an earlier page with the same checksum as the latest page; nil without one.
    private var matched: Int?

    /// Adds a page.
    ///
    /// - Parameters:
    ///   - checksum: the checksum of its items.
    ///   - identifiesItems: whether the checksum covers ids. Lists without ids may contain identical pages, so only two
    ///     successive pages that match two successive earlier ones count as a cycle.
    /// - Returns: the number of the repeated page, counted from 1; nil if no repetition is detected.
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
            // Keep the checksum if a later page has the same one.
            if let number = numbers[latest[oldest]], number <= count - Self.mostLatest {
                numbers[latest[oldest]] = nil
            }
            latest[oldest] = checksum
            oldest = (oldest + 1) % Self.mostLatest
        }
    }
}

/// The ids of the items already returned by a walk, so that it can step back without repeating them.
///
/// The hashes of the latest 100,000 ids are kept: a few megabytes at most.
struct ReturnedIDs: Sendable {
    static let most = 100_000

    private var hashes: Set<UInt64> = []
    /// A ring buffer of the latest hashes.
    private var latest: [UInt64] = []
    private var oldest = 0

    /// The number of stored hashes.
    var count: Int { hashes.count }

    /// Adds the hash of an id; returns false if it was already present.
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

/// A checksum of the ids on a page, used to recognize the first page of a list when the server returns it again.
///
/// Unlike ``PageChecksum``, it is stable across processes, because cursors contain it.
enum PageBeginning {
    /// Returns an order-independent checksum of the items' ids; nil if the items have no ids, or if the ids cannot be
    /// path segments.
    static func checksum<Element>(of items: [Element]) -> String? {
        guard let type = Element.self as? any Identifiable.Type, let text = ItemID.text(type, of: Element.self) else {
            return nil
        }
        let sum = items.reduce(UInt64(items.count)) { $0 &+ CursorChecksum.value(of: text($1)) }
        return String(sum, radix: 16)
    }
}

/// Functions that hash item ids.
enum ItemID {
    /// Returns a function that converts an item's id to text; nil if the ids cannot be path segments.
    fileprivate static func text<Item: Identifiable, Element>(
        _ type: Item.Type,
        of element: Element.Type
    ) -> ((Element) -> String)? {
        guard let segment = segmentText(Item.ID.self) else { return nil }
        return { element in (element as? Item).map { segment($0.id) } ?? "" }
    }

    private static func segmentText<ID>(_ type: ID.Type) -> ((ID) -> String)? {
        guard type is any PathSegmentConvertible.Type else { return nil }
        return { id in (id as? any PathSegmentConvertible)?.segmentText ?? "" }
    }

    /// Returns a function that hashes an item's id; nil if the type is not `Identifiable`.
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
