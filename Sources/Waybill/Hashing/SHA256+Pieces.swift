extension SHA256 {
    /// The hash of bytes that come in pieces.
    package struct Pieces: Sendable {
        private var hash = SHA256()
        /// The bytes that do not fill a block yet.
        private var rest: [UInt8] = []
        private var count: UInt64 = 0

        package init() {}

        /// Adds the next bytes.
        package mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            count += UInt64(bytes.count)
            var start = 0
            if !rest.isEmpty {
                start = min(64 - rest.count, bytes.count)
                rest += bytes[..<start]
                guard rest.count == 64 else { return }
                let block = rest
                block.withUnsafeBufferPointer { compress($0, upTo: 64) }
                rest.removeAll(keepingCapacity: true)
            }
            let blocks = (bytes.count - start) / 64 * 64
            compress(UnsafeBufferPointer(rebasing: bytes[start..<start + blocks]), upTo: blocks)
            rest += bytes[(start + blocks)...]
        }

        /// Returns the hash of all bytes: 32 bytes.
        package consuming func finished() -> [UInt8] {
            var end = rest
            end.append(0x80)
            end.append(contentsOf: repeatElement(0, count: (120 - end.count % 64) % 64))
            for shift in stride(from: 56, through: 0, by: -8) {
                end.append(UInt8(truncatingIfNeeded: (count * 8) >> UInt64(shift)))
            }
            end.withUnsafeBufferPointer { compress($0, upTo: end.count) }
            return SHA256.bytes(of: hash.state)
        }

        private mutating func compress(_ bytes: UnsafeBufferPointer<UInt8>, upTo end: Int) {
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                for start in stride(from: 0, to: end, by: 64) { hash.compress(bytes, at: start, using: words) }
            }
        }
    }
}
