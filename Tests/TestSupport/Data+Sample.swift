import Foundation

extension Data {
    /// Returns `count` bytes in which a missing, repeated or misplaced piece shows.
    package static func sample(count: Int) -> Data {
        // Its length is a prime, so that no buffer's size is a multiple of it; 64 KiB are the size of many buffers.
        let piece = Data((0..<100_003).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8 &+ ($0 >> 16) &* 13) })
        var sample = Data(capacity: count)
        while sample.count < count { sample.append(piece.prefix(count - sample.count)) }
        return sample
    }
}
