/// The positions of an enumeration's keys in shapes: a byte for each key.
///
/// A table stays at its address as long as documents last, because cursors point to it.
struct KeyOffsetCache {
    /// The entry of a key that was not looked up yet.
    static let unknown: UInt8 = 0
    /// The entry of a key that a shape does not have; any other is the key's place, plus 1.
    static let absent: UInt8 = .max

    /// There are not more tables than these.
    private static let maximumTables = 96

    private var shapes: [UInt16] = []
    private var tables: [UnsafeMutablePointer<UInt8>] = []
    private var count = 0
    private var last: (shape: Int, table: UnsafeMutablePointer<UInt8>?) = (0, nil)

    func deallocate() {
        for (shape, table) in zip(shapes, tables) where shape != 0 { table.deallocate() }
    }

    mutating func removeAll() {
        deallocate()
        self = KeyOffsetCache()
    }

    /// Returns the table for a shape; nil if there are too many.
    @inline(__always)
    mutating func table(for shape: Int) -> UnsafeMutablePointer<UInt8>? {
        if last.shape != shape { last = (shape, otherTable(for: shape)) }
        return last.table
    }

    @inline(never)
    private mutating func otherTable(for shape: Int) -> UnsafeMutablePointer<UInt8>? {
        if !shapes.isEmpty {
            var slot = shape & (shapes.count - 1)
            while shapes[slot] != 0 {
                if Int(shapes[slot]) == shape { return tables[slot] }
                slot = (slot + 1) & (shapes.count - 1)
            }
        }
        guard count < Self.maximumTables else { return nil }
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: KeyType.maximumKeys)
        table.initialize(repeating: Self.unknown, count: KeyType.maximumKeys)
        if (count + 1) * 4 > shapes.count * 3 { enlarge() }
        place(shape, table)
        count += 1
        return table
    }

    private mutating func enlarge() {
        let old = zip(shapes, tables).filter { $0.0 != 0 }
        let capacity = max(4, shapes.count * 2)
        shapes = Array(repeating: 0, count: capacity)
        // Without a shape, no table is read.
        guard let filler = old.first?.1 ?? UnsafeMutablePointer(bitPattern: 1) else { return }
        tables = Array(repeating: filler, count: capacity)
        for (shape, table) in old { place(Int(shape), table) }
    }

    private mutating func place(_ shape: Int, _ table: UnsafeMutablePointer<UInt8>) {
        var slot = shape & (shapes.count - 1)
        while shapes[slot] != 0 { slot = (slot + 1) & (shapes.count - 1) }
        shapes[slot] = UInt16(truncatingIfNeeded: shape)
        tables[slot] = table
    }
}
