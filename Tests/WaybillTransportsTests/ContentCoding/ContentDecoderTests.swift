import TestSupport

#if os(Linux)
    import Foundation
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Content decoding")
    struct ContentDecoderTests {
        @Test("A compressed body in one chunk is decoded", arguments: EncodedSample.all)
        func whole(sample: EncodedSample) throws {
            #expect(try ContentDecoder.decode(whole: sample.bytes, codings: sample.codings) == EncodedSample.body)
        }

        @Test("A compressed body in two chunks is decoded, wherever it is split", arguments: EncodedSample.all)
        func cuts(sample: EncodedSample) throws {
            for cut in 0...sample.bytes.count {
                let chunks = [sample.bytes.prefix(cut), sample.bytes.dropFirst(cut)]
                #expect(try ContentDecoder.decode(chunks, sample.codings) == EncodedSample.body, "cut at \(cut)")
            }
        }

        @Test(
            "A compressed body is decoded byte by byte and in chunks of any size",
            arguments: EncodedSample.all,
            [1, 2, 3, 7, 20]
        )
        func chunks(sample: EncodedSample, size: Int) throws {
            let chunks = sample.bytes.chunks(of: size)
            #expect(try ContentDecoder.decode(chunks, sample.codings) == EncodedSample.body)
        }

        @Test("A decoder decodes several pending chunks as one body")
        func waiting() throws {
            for sample in EncodedSample.all {
                let decoder = try ContentDecoder(sample.codings)
                for chunk in sample.bytes.chunks(of: 9) { decoder.feed(chunk) }
                var decoded = Data()
                while let piece = try decoder.next() { decoded += piece }
                try decoder.finish()
                #expect(decoded == EncodedSample.body)
            }
        }

        @Test("A compressed stream with no content is an empty body", arguments: EncodedSample.empty)
        func empty(sample: EncodedSample) throws {
            #expect(try ContentDecoder.decode(whole: sample.bytes, codings: sample.codings).isEmpty)
            #expect(try ContentDecoder.decode(sample.bytes.chunks(of: 1), sample.codings).isEmpty)
        }

        @Test("A compressed body without any bytes is an empty body", arguments: EncodedSample.all)
        func nothing(sample: EncodedSample) throws {
            #expect(try ContentDecoder.decode(whole: Data(), codings: sample.codings).isEmpty)
            #expect(try ContentDecoder.decode([Data(), Data()], sample.codings).isEmpty)
        }

        @Test("A body without codings passes through unchanged, up to the limit")
        func identity() throws {
            #expect(try ContentDecoder.decode(whole: EncodedSample.body, codings: []) == EncodedSample.body)
            let chunks = EncodedSample.body.chunks(of: 100)
            #expect(try ContentDecoder.decode(chunks, [], limit: 254) == EncodedSample.body)
            let error = #expect(throws: TransportError.self) { try ContentDecoder.decode(chunks, [], limit: 253) }
            #expect(error?.kind == .bodyTooLarge)
        }

        @Test("A large incompressible body is decoded unchanged", arguments: [1000, 65536, 10_000_000])
        func large(size: Int) throws {
            let body = Data.sample(count: 1_000_000)
            // Stored blocks (RFC 1951, section 3.2.4), which need no encoder.
            let blocks = body.chunks(of: 0xFFFF)
            var stream = Data()
            for (index, block) in blocks.enumerated() {
                let length = UInt16(block.count)
                stream.append(index == blocks.count - 1 ? 1 : 0)
                for half in [length, ~length] { stream += [UInt8(half & 0xFF), UInt8(half >> 8)] }
                stream += block
            }
            #expect(try ContentDecoder.decode(stream.chunks(of: size), [.deflate]) == body)
        }

        @Test("A decoded chunk has at most 64 KiB", arguments: Bomb.all)
        func pieces(bomb: Bomb) throws {
            let decoder = try ContentDecoder(bomb.codings)
            decoder.feed(bomb.bytes)
            var sizes: [Int] = []
            while sizes.count < 100, let piece = try decoder.next() { sizes.append(piece.count) }
            #expect(sizes.count == 100)
            #expect(sizes.allSatisfy { (1...65536).contains($0) })
        }
    }
#endif
