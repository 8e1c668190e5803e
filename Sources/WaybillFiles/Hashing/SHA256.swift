/// The SHA-256 hash function (FIPS 180-4).
///
/// Used for Digest authentication, opaque names of stored entries, and file digests. No system implementation is
/// available on every platform.
package struct SHA256 {
    private var state = SIMD8<UInt32>(
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19
    )

    /// Returns the digest of a text's UTF-8 bytes as hexadecimal digits.
    package static func hexadecimal(of text: String) -> String { hexadecimal(hash(text.utf8)) }

    /// Returns the 32-byte digest of a collection of bytes.
    package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Self.bytes(of: state(after: bytes))
    }

    private static func bytes(of state: SIMD8<UInt32>) -> [UInt8] {
        state.indices.flatMap { index in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: state[index] >> UInt32($0)) }
        }
    }

    /// Returns the leading hexadecimal digits of the digest, at most 64.
    package static func hexadecimal(_ bytes: some Collection<UInt8>, digitCount: Int = 64) -> String {
        let state = state(after: bytes)
        let count = min(max(0, digitCount), 64)
        return String(unsafeUninitializedCapacity: count) { text in
            for index in 0..<count {
                let digit = UInt8(truncatingIfNeeded: state[index / 8] >> UInt32(28 - index % 8 * 4)) & 15
                text[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return count
        }
    }

    private static func state(after bytes: some Collection<UInt8>) -> SIMD8<UInt32> {
        var hasher = Hasher()
        if bytes.withContiguousStorageIfAvailable({ hasher.add($0) }) == nil {
            Array(bytes).withUnsafeBufferPointer { hasher.add($0) }
        }
        return hasher.state()
    }

    private mutating func compress(
        _ message: UnsafeBufferPointer<UInt8>,
        at start: Int,
        using words: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            let offset = start + index * 4
            words[index] =
                UInt32(message[offset]) << 24 | UInt32(message[offset + 1]) << 16 | UInt32(message[offset + 2]) << 8
                | UInt32(message[offset + 3])
        }
        for index in 16..<64 {
            let (old, recent) = (words[index - 15], words[index - 2])
            let first = rotated(old, 7) ^ rotated(old, 18) ^ (old >> 3)
            let second = rotated(recent, 17) ^ rotated(recent, 19) ^ (recent >> 10)
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ sum &+ ((e & f) ^ (~e & g)) &+ Self.constants[index] &+ words[index]
            let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension SHA256 {
    /// An incremental computation of a digest.
    package struct Hasher: Sendable {
        private var hash = SHA256()
        /// The bytes of the incomplete last block.
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
            // The capacity includes the padding, so that a single allocation suffices.
            rest.reserveCapacity(128)
            rest += bytes[(start + blocks)...]
        }

        /// Returns the 32-byte digest of all added bytes.
        package consuming func finished() -> [UInt8] { SHA256.bytes(of: state()) }

        fileprivate consuming func state() -> SIMD8<UInt32> {
            rest.append(0x80)
            rest.append(contentsOf: repeatElement(0, count: (120 - rest.count % 64) % 64))
            for shift in stride(from: 56, through: 0, by: -8) {
                rest.append(UInt8(truncatingIfNeeded: (count * 8) >> UInt64(shift)))
            }
            let end = rest
            end.withUnsafeBufferPointer { compress($0, upTo: end.count) }
            return hash.state
        }

        private mutating func compress(_ bytes: UnsafeBufferPointer<UInt8>, upTo end: Int) {
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
                for start in stride(from: 0, to: end, by: 64) { hash.compress(bytes, at: start, using: words) }
            }
        }
    }
}
