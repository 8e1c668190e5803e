import TestSupport

/// Documents created from others by small mutations, the same in every run.
struct Mutations {
    private var random: SplitMix64
    private let seeds: [[UInt8]]

    init(of seeds: [[UInt8]], seed: UInt64) {
        self.seeds = seeds
        random = SplitMix64(seed: seed)
    }

    /// The bytes most likely to break JSON: characters of its syntax, and byte values at the limits of ranges.
    private static let interesting =
        Array("{}[]:,\"\\/'0123456789-+.eEtfnu \t\n\r".utf8) + [
            0x00, 0x1F, 0x7F, 0x80, 0xBF, 0xC0, 0xC3, 0xED, 0xF4, 0xFF,
        ]

    private static let pieces: [[UInt8]] = [
        #"\uD800"#, #"\uDC00"#, #"\u12"#, "null", "true", "1e5", "01", "[]", "{}", #""a":"#, ",,", "é", "😀", "//",
        #"\""#, "[[", "]]",
    ].map { Array($0.utf8) }

    /// Returns a seed with one to three mutations.
    mutating func next() -> [UInt8] {
        guard var bytes = seeds.randomElement(using: &random) else { return [] }
        for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes) }
        return bytes
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, index + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where index < bytes.count: bytes[index] = interestingByte()
        case 2: bytes.insert(interestingByte(), at: index)
        case 3: bytes.removeSubrange(index..<end)
        case 4: bytes.insert(contentsOf: bytes[index..<end], at: index)
        case 5: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: index)
        case 6:
            guard let other = seeds.randomElement(using: &random) else { return }
            bytes = Array(bytes[..<index]) + other.suffix(Int.random(in: 0...other.count, using: &random))
        default: bytes.removeLast(Int.random(in: 0...min(4, bytes.count), using: &random))
        }
    }

    private mutating func interestingByte() -> UInt8 { Self.interesting.randomElement(using: &random) ?? 0 }
}
