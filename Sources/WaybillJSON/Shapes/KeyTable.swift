/// A table that assigns a number to each key seen in documents.
///
/// Only ASCII keys without escapes are stored, so keys are equal only if their bytes are. A key is stored on its second
/// occurrence, which prevents dictionaries keyed by ids from crowding out other keys.
struct KeyTable {
    /// The location of a stored key.
    struct Entry {
        /// The offset of the key's bytes.
        var start: Int32
        /// The length of the key in bytes.
        var length: Int32
    }

    /// The maximum number of stored keys.
    static let maximumKeys = 2048
    /// The maximum length of a stored key in bytes.
    static let maximumLength = 64

    private(set) var entries: UnsafeMutablePointer<Entry>
    private var capacity = 16
    /// The number of the next key; key 0 is unused.
    private(set) var count = 1
    private(set) var bytes: UnsafeMutablePointer<UInt8>
    private var byteCapacity = 256
    private var byteCount = 0
    /// A hash table of key numbers; 0 for an empty slot.
    private var slots: UnsafeMutablePointer<UInt16>
    private var mask = 63
    /// The hashes of keys seen once.
    private var seen: BloomFilter = BloomFilter()
    /// A random seed that makes hashes unpredictable, so that no document can force its keys to collide.
    private let seed: UInt64

    init() {
        // Multiplication by an odd number is reversible in the lower half of the product, so it loses no information.
        seed = UInt64.random(in: 0...UInt64.max) | 1
        entries = .allocate(capacity: capacity)
        bytes = .allocate(capacity: byteCapacity)
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: 0, count: mask + 1)
    }

    func deallocate() {
        entries.deallocate()
        bytes.deallocate()
        slots.deallocate()
    }

    @inline(__always)
    subscript(_ key: Int) -> UnsafeMutablePointer<Entry> { entries + key }

    /// Whether the table has reached its maximum number of keys.
    var isFull: Bool { count >= Self.maximumKeys }

    /// Returns the bytes of a key.
    @inline(__always)
    func spelling(of key: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Int(entries[key].start), count: Int(entries[key].length))
    }

    mutating func removeAll() {
        count = 1
        byteCount = 0
        slots.update(repeating: 0, count: mask + 1)
        seen = BloomFilter()
    }

    /// Returns the number of a key; 0 if it is not stored.
    ///
    /// - Parameters:
    ///   - key: the bytes of the key.
    ///   - keepsNew: whether to store a new key on its first occurrence.
    /// - Returns: the number of the key, or 0.
    mutating func number(of key: UnsafeBufferPointer<UInt8>, keepingNew keepsNew: Bool = false) -> Int {
        guard key.count <= Self.maximumLength else { return 0 }
        let hash = hash(of: key)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot])
            if Int(entries[number].length) == key.count,
                UnsafePointer(bytes + Int(entries[number].start)).isEqual(to: key.baseAddress, count: key.count)
            {
                return number
            }
            slot = (slot &+ 1) & mask
        }
        guard !isFull, seen.insert(hash) || keepsNew else { return 0 }
        return keep(key)
    }

    @inline(never)
    private mutating func keep(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        if count == capacity {
            entries = entries.moved(count, toCapacity: capacity * 2)
            capacity *= 2
        }
        if byteCount + key.count > byteCapacity {
            byteCapacity = byteCapacity * 2 + key.count
            bytes = bytes.moved(byteCount, toCapacity: byteCapacity)
        }
        if let start = key.baseAddress { (bytes + byteCount).initialize(from: start, count: key.count) }
        let entry = Entry(start: Int32(truncatingIfNeeded: byteCount), length: Int32(truncatingIfNeeded: key.count))
        (entries + count).initialize(to: entry)
        byteCount += key.count
        count += 1
        if count * 2 > mask { enlarge() } else { place(count - 1) }
        return count - 1
    }

    private mutating func enlarge() {
        slots.deallocate()
        mask = mask * 2 + 1
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: 0, count: mask + 1)
        for number in 1..<count { place(number) }
    }

    private func place(_ number: Int) {
        var slot = Int(truncatingIfNeeded: hash(of: spelling(of: number))) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt16(truncatingIfNeeded: number)
    }

    /// Returns a hash of all bytes of a key; hashes differ between tables.
    @inline(__always)
    func hash(of key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(truncatingIfNeeded: key.count)
        if key.count >= 8, let start = UnsafeRawPointer(key.baseAddress) {
            var index = 0
            while index &+ 8 < key.count {
                hash = mixed(hash, start.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index &+= 8
            }
            return mixed(hash, start.loadUnaligned(fromByteOffset: key.count &- 8, as: UInt64.self))
        }
        guard let start = key.baseAddress else { return mixed(hash, 0) }
        return mixed(hash, start.shortWord(count: key.count))
    }

    @inline(__always)
    private func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: seed)
        return product.high ^ product.low
    }
}

/// A Bloom filter of hashes; false positives are possible.
struct BloomFilter {
    private var bits: InlineBits = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    private var count = 0

    private typealias InlineBits = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
    )

    /// Inserts a hash; returns whether it was already present.
    mutating func insert(_ hash: UInt64) -> Bool {
        let place = Int(truncatingIfNeeded: hash &>> 16) & 1023
        return withUnsafeMutableBytes(of: &bits) { bytes in
            let words = bytes.assumingMemoryBound(to: UInt64.self)
            let bit: UInt64 = 1 &<< UInt64(place & 63)
            if words[place &>> 6] & bit != 0 { return true }
            if count == 512 {
                // With more than half of the bits set, most new hashes would be false positives.
                for index in words.indices { words[index] = 0 }
                count = 0
            }
            words[place &>> 6] |= bit
            count += 1
            return false
        }
    }
}

extension UnsafeMutablePointer {
    /// Moves values to a larger allocation, and frees this one.
    func moved(_ count: Int, toCapacity capacity: Int) -> UnsafeMutablePointer {
        let larger = UnsafeMutablePointer.allocate(capacity: capacity)
        larger.moveInitialize(from: self, count: count)
        deallocate()
        return larger
    }
}

extension UnsafePointer<UInt8> {
    /// Whether the bytes at this address equal those at another address.
    @inline(__always)
    func isEqual(to other: UnsafePointer<UInt8>?, count: Int) -> Bool {
        guard let other else { return count == 0 }
        guard count >= 8 else { return shortWord(count: count) == other.shortWord(count: count) }
        let (one, two) = (UnsafeRawPointer(self), UnsafeRawPointer(other))
        // The last word can overlap the previous one.
        var index = count &- 8
        while true {
            let difference =
                one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                ^ two.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if difference != 0 { return false }
            if index == 0 { return true }
            index = Swift.max(0, index &- 8)
        }
    }

    /// Returns a number that is unique among sequences of the same length, for up to seven bytes.
    @inline(__always)
    func shortWord(count: Int) -> UInt64 {
        let bytes = UnsafeRawPointer(self)
        if count >= 4 {
            // The two halves can overlap.
            return UInt64(bytes.loadUnaligned(as: UInt32.self))
                | UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)) &<< 32
        }
        if count == 0 { return 0 }
        return UInt64(self[0]) | UInt64(self[count &>> 1]) &<< 8 | UInt64(self[count &- 1]) &<< 16
    }
}
