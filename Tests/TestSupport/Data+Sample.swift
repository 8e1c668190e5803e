import Foundation

extension Data {
    /// Returns `count` bytes in which a missing, repeated or misplaced part is detectable.
    package static func sample(count: Int) -> Data {
        // The length is prime, so it does not divide the size of any buffer; many buffers hold 64 KiB.
        let piece = Data((0..<100_003).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8 &+ ($0 >> 16) &* 13) })
        var sample = Data(capacity: count)
        while sample.count < count { sample.append(piece.prefix(count - sample.count)) }
        return sample
    }
}
