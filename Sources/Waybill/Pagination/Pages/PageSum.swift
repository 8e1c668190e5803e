/// A checksum of the items of a page, to notice that a server repeats one: of their ids, or if they have none, of the
/// body's bytes.
struct PageSum<Element: Sendable> {
    /// The checksum of a page with items.
    struct Value: Equatable {
        let count: Int
        let sum: UInt64
    }

    private let addID: ((Element, inout Hasher) -> Void)?
    private var hasher = Hasher()
    private var count = 0

    init() { addID = (Element.self as? any Identifiable.Type).map { Self.adding($0) } }

    /// Takes an item.
    mutating func add(_ element: Element) {
        count += 1
        addID?(element, &hasher)
    }

    /// Returns the checksum of the page, and starts with the next one; nil for a page without items.
    mutating func take(bodySum: UInt64?) -> Value? {
        defer { (hasher, count) = (Hasher(), 0) }
        guard count > 0 else { return nil }
        if addID != nil { return Value(count: count, sum: UInt64(bitPattern: Int64(hasher.finalize()))) }
        return bodySum.map { Value(count: count, sum: $0) }
    }

    private static func adding<Item: Identifiable>(_ type: Item.Type) -> (Element, inout Hasher) -> Void {
        { element, hasher in
            if let item = element as? Item { hasher.combine(item.id) }
        }
    }
}
