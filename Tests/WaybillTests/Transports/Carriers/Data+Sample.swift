import Foundation

extension Data {
    /// So many bytes, in which a piece that is missing, doubled or out of place shows.
    static func sample(count: Int) -> Data {
        // Its length is a prime, so that no buffer's size is a multiple of it.
        let piece = Data((0..<100_003).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        var sample = Data(capacity: count)
        while sample.count < count { sample.append(piece.prefix(count - sample.count)) }
        return sample
    }
}
