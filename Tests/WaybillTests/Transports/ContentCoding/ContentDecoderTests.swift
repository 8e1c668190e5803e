#if os(Linux)
    import Foundation
    import Testing

    @testable import Waybill

    @Suite("Content codings are undone")
    struct ContentDecoderTests {
        @Test("A body that is all there", arguments: EncodedSample.all)
        func whole(sample: EncodedSample) throws {
            #expect(try ContentDecoder.decode(whole: sample.bytes, codings: sample.codings) == EncodedSample.body)
        }

        @Test("A body in two chunks, cut at every byte", arguments: EncodedSample.all)
        func cuts(sample: EncodedSample) throws {
            for cut in 0...sample.bytes.count {
                let chunks = [sample.bytes.prefix(cut), sample.bytes.dropFirst(cut)]
                #expect(try ContentDecoder.decode(chunks, sample.codings) == EncodedSample.body, "cut at \(cut)")
            }
        }

        @Test("A body byte by byte, and in chunks of odd sizes", arguments: EncodedSample.all, [1, 2, 3, 7, 20])
        func chunks(sample: EncodedSample, size: Int) throws {
            let chunks = sample.bytes.chunks(of: size)
            #expect(try ContentDecoder.decode(chunks, sample.codings) == EncodedSample.body)
        }

        @Test("Chunks that wait for each other are one body")
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

        @Test("A stream of nothing is an empty body", arguments: EncodedSample.empty)
        func empty(sample: EncodedSample) throws {
            #expect(try ContentDecoder.decode(whole: sample.bytes, codings: sample.codings).isEmpty)
            #expect(try ContentDecoder.decode(sample.bytes.chunks(of: 1), sample.codings).isEmpty)
        }

        @Test("No bytes at all are an empty body, whatever the coding", arguments: EncodedSample.all)
        func nothing(sample: EncodedSample) throws {
            #expect(try ContentDecoder.decode(whole: Data(), codings: sample.codings).isEmpty)
            #expect(try ContentDecoder.decode([Data(), Data()], sample.codings).isEmpty)
        }

        @Test("Without codings the bytes come out as they went in, up to the limit")
        func identity() throws {
            #expect(try ContentDecoder.decode(whole: EncodedSample.body, codings: []) == EncodedSample.body)
            let chunks = EncodedSample.body.chunks(of: 100)
            #expect(try ContentDecoder.decode(chunks, [], limit: 254) == EncodedSample.body)
            let error = #expect(throws: TransportError.self) { try ContentDecoder.decode(chunks, [], limit: 253) }
            #expect(error?.kind == .bodyTooLarge)
        }

        @Test("A large body of bytes that do not repeat comes out as it went in", arguments: [1000, 65536, 10_000_000])
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

        @Test("A piece has 64 KiB at most", arguments: Bomb.all)
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
