/// An incremental computation of the 64-bit xxHash with seed 0.
///
/// It detects accidental changes but not deliberate ones, and is several times as fast as SHA-256.
package struct XXHash: Sendable {
    private static let primes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (
        0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63,
        0x27D4_EB2F_1656_67C5
    )
    private static let stripe = 32

    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
        Self.primes.0 &+ Self.primes.1, Self.primes.1, 0, 0 &- Self.primes.0
    )
    private var count = 0
    /// The bytes of the incomplete last stripe.
    private var rest: [UInt8] = []

    package init() {}

    /// Adds the next bytes.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        count += bytes.count
        var bytes = bytes[...]
        if !rest.isEmpty {
            let added = bytes.prefix(Self.stripe - rest.count)
            rest.append(contentsOf: added)
            bytes = bytes.dropFirst(added.count)
            guard rest.count == Self.stripe else { return }
            rest.withUnsafeBytes { addStripes($0) }
            rest.removeAll(keepingCapacity: true)
        }
        let whole = bytes.count / Self.stripe * Self.stripe
        addStripes(UnsafeRawBufferPointer(rebasing: bytes.prefix(whole)))
        rest.append(contentsOf: bytes.dropFirst(whole))
    }

    private mutating func addStripes(_ bytes: UnsafeRawBufferPointer) {
        var lanes = lanes
        for offset in stride(from: 0, to: bytes.count, by: Self.stripe) {
            lanes.0 = Self.round(lanes.0, Self.word(bytes, offset))
            lanes.1 = Self.round(lanes.1, Self.word(bytes, offset + 8))
            lanes.2 = Self.round(lanes.2, Self.word(bytes, offset + 16))
            lanes.3 = Self.round(lanes.3, Self.word(bytes, offset + 24))
        }
        self.lanes = lanes
    }

    /// The hash of the bytes added so far.
    package var value: UInt64 {
        var hash: UInt64
        if count < Self.stripe {
            hash = Self.primes.4
        } else {
            hash = Self.rotated(lanes.0, 1) &+ Self.rotated(lanes.1, 7) &+ Self.rotated(lanes.2, 12)
            hash = hash &+ Self.rotated(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                hash = (hash ^ Self.round(0, lane)) &* Self.primes.0 &+ Self.primes.3
            }
        }
        hash = hash &+ UInt64(count)
        rest.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                hash ^= Self.round(0, Self.word(bytes, offset))
                hash = Self.rotated(hash, 27) &* Self.primes.0 &+ Self.primes.3
                offset += 8
            }
            if offset + 4 <= bytes.count {
                let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                hash = Self.rotated(hash ^ UInt64(word) &* Self.primes.0, 23) &* Self.primes.1 &+ Self.primes.2
                offset += 4
            }
            for byte in bytes[offset...] {
                hash = Self.rotated(hash ^ UInt64(byte) &* Self.primes.4, 11) &* Self.primes.0
            }
        }
        hash = (hash ^ hash >> 33) &* Self.primes.1
        hash = (hash ^ hash >> 29) &* Self.primes.2
        return hash ^ hash >> 32
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        rotated(lane &+ word &* primes.1, 31) &* primes.0
    }

    private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value << bits | value >> (64 - bits)
    }
}
