import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Fuzzed compressed bodies")
    struct ContentDecoderFuzzTests {
        private static let seeds: [EncodedSample] = EncodedSample.all + EncodedSample.empty

        private static func damaged(_ seed: Data, using random: inout SplitMix64) -> Data {
            var bytes = Array(seed)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, index + Int.random(in: 1...16, using: &random))
                switch Int.random(in: 0..<6, using: &random) {
                case 0 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1 where index < bytes.count: bytes[index] = .random(in: .min ... .max, using: &random)
                case 2: bytes.removeSubrange(index..<end)
                case 3: bytes.insert(contentsOf: bytes[index..<end], at: index)
                case 4:
                    let other = Array((seeds.randomElement(using: &random) ?? seeds[0]).bytes)
                    bytes = Array(bytes[..<index]) + other.suffix(Int.random(in: 0...other.count, using: &random))
                default: bytes.removeLast(Int.random(in: 0...min(8, bytes.count), using: &random))
                }
            }
            return Data(bytes)
        }

        @Test(
            "A damaged body neither crashes nor exceeds the limit, and decodes the same however it is split",
            arguments: Thoroughness.some(seeds, oneIn: 4)
        )
        func mutations(seed: EncodedSample) {
            var random = SplitMix64(seed: 20_26)
            let limit = 2000
            for round in 0..<Thoroughness.repetitions(1500, otherwise: 300) {
                let bytes = Self.damaged(seed.bytes, using: &random)
                let size = Int.random(in: 1...40, using: &random)
                let whole = Result { () throws(TransportError) in
                    try ContentDecoder.decode(whole: bytes, codings: seed.codings, limit: limit)
                }
                let pieces = Result { () throws(TransportError) in
                    try ContentDecoder.decode(bytes.chunks(of: size), seed.codings, limit: limit)
                }
                switch (whole, pieces) {
                case (.success(let whole), .success(let pieces)):
                    #expect(whole == pieces, "round \(round)")
                    #expect(whole.count <= limit, "round \(round)")
                case (.failure(let whole), .failure(let pieces)):
                    let kinds: Set<TransportError.Kind> = [.invalidResponse, .connectionLost, .bodyTooLarge]
                    #expect(kinds.isSuperset(of: [whole.kind, pieces.kind]), "round \(round)")
                case (.failure, .success(let pieces)) where seed.codings.contains(.zstd) && pieces.isEmpty:
                    // libzstd 1.5 does not check the content size of a truncated frame that ends in an empty block.
                    break
                default:
                    Issue.record("round \(round): \(whole) whole, \(pieces) in chunks of \(size): \(Array(bytes))")
                }
            }
        }

        @Test("Decoding random bytes neither crashes nor exceeds the limit", arguments: ContentCoding.supported)
        func noise(coding: ContentCoding) {
            var random = SplitMix64(seed: 7)
            for _ in 0..<5000 {
                let bytes = Data(
                    (0..<Int.random(in: 1...60, using: &random)).map { _ in .random(in: .min ... .max, using: &random) }
                )
                let decoded = try? ContentDecoder.decode(whole: bytes, codings: [coding], limit: 500)
                #expect((decoded?.count ?? 0) <= 500)
            }
        }
    }
#endif
