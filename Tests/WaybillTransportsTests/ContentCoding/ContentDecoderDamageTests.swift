#if os(Linux)
    import Foundation
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Damaged compressed bodies")
    struct ContentDecoderDamageTests {
        @Test(
            "A compressed body truncated at any byte is an error",
            arguments: EncodedSample.all.filter { !$0.hasParts }
        )
        func truncated(sample: EncodedSample) {
            for length in 1..<sample.bytes.count {
                let part = Data(sample.bytes.prefix(length))
                for chunks in [[part], part.chunks(of: 1)] {
                    let error = #expect(throws: TransportError.self, "\(length) bytes") {
                        try ContentDecoder.decode(chunks, sample.codings)
                    }
                    #expect(error?.kind == .connectionLost, "\(length) bytes")
                }
            }
        }

        @Test("The error for a truncated body names the incomplete coding")
        func truncation() throws {
            for sample in EncodedSample.all where sample.codings.count == 1 {
                let error = #expect(throws: TransportError.self) {
                    try ContentDecoder.decode(whole: sample.bytes.dropLast(), codings: sample.codings)
                }
                let name = try #require(sample.codings.first).rawValue
                #expect(error?.message == "the \(name) stream of the body ended too early")
            }
        }

        @Test(
            "A compressed body that is cut inside one of its members is an error",
            arguments: EncodedSample.all.filter(\.hasParts)
        )
        func members(sample: EncodedSample) {
            var ends: [Int] = []
            for length in 1..<sample.bytes.count {
                do throws(TransportError) {
                    let part = try ContentDecoder.decode(whole: sample.bytes.prefix(length), codings: sample.codings)
                    #expect(EncodedSample.body.starts(with: part))
                    ends.append(length)
                } catch {
                    #expect(error.kind == .connectionLost, "\(length) bytes")
                }
            }
            #expect(ends.count == 2)
        }

        @Test(
            "A flipped bit in a checksummed body is an error, or leaves the decoded bytes unchanged",
            arguments: EncodedSample.all
        )
        func flipped(sample: EncodedSample) {
            var errors = 0
            for bit in 0..<(sample.bytes.count * 8) {
                var bytes = sample.bytes
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                do throws(TransportError) {
                    let decoded = try ContentDecoder.decode(whole: bytes, codings: sample.codings, limit: 1000)
                    #expect(!sample.hasChecksum || decoded == EncodedSample.body, "bit \(bit)")
                } catch {
                    errors += 1
                    #expect([.invalidResponse, .connectionLost, .bodyTooLarge].contains(error.kind), "bit \(bit)")
                }
            }
            #expect(!sample.hasChecksum || errors > sample.bytes.count * 6)
        }

        @Test("The error for a damaged body names the coding and the library's diagnosis")
        func damage() {
            var bytes = EncodedSample.all[0].bytes
            bytes[bytes.count - 8] ^= 1
            let error = #expect(throws: TransportError.self) {
                try ContentDecoder.decode(whole: bytes, codings: [.gzip])
            }
            #expect(error?.kind == .invalidResponse)
            #expect(error?.message == "the gzip stream of the body is damaged (incorrect data check)")
        }

        @Test(
            "Bytes after the end of a compressed body are an error",
            arguments: EncodedSample.all,
            ["\0", "\r\n", "garbage"]
        )
        func trailing(sample: EncodedSample, garbage: String) {
            let garbage = Data(garbage.utf8)
            for chunks in [[sample.bytes + garbage], [sample.bytes, garbage], (sample.bytes + garbage).chunks(of: 1)] {
                let error = #expect(throws: TransportError.self) { try ContentDecoder.decode(chunks, sample.codings) }
                #expect(error?.kind == .invalidResponse)
            }
        }

        @Test(
            "A body that does not match its content coding, or that needs a dictionary, is an error",
            arguments: [
                (.gzip, Array(EncodedSample.body)),
                (.deflate, Array(EncodedSample.body)),
                (.brotli, Array(EncodedSample.body)),
                (.zstd, Array(EncodedSample.body)),
                // A zlib stream with a preset dictionary (RFC 1950, section 2.2).
                (.deflate, [0x78, 0xF9, 0x12, 0x34, 0x56, 0x78, 0xAB, 0x8E, 0x05, 0x00]),
                // A zstd frame with a dictionary ID.
                (.zstd, [0x28, 0xB5, 0x2F, 0xFD, 0x01, 0x00, 0x07, 0x01, 0x00, 0x00]),
                // A zstd frame with a window of 16 MiB.
                (.zstd, [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x70, 0x01, 0x00, 0x00]),
                // The magic numbers of zstd formats older than RFC 8878.
                (.zstd, [0x25, 0xB5, 0x2F, 0xFD, 0x00, 0x00, 0x00, 0x00, 0x00]),
                (.zstd, [0x27, 0xB5, 0x2F, 0xFD, 0x00, 0x00, 0x00, 0x00, 0x00]),
            ] as [(ContentCoding, [UInt8])]
        )
        func foreign(coding: ContentCoding, bytes: [UInt8]) {
            guard coding.isSupported else { return }
            let error = #expect(throws: TransportError.self) {
                try ContentDecoder.decode(whole: Data(bytes), codings: [coding])
            }
            #expect(error?.kind == .invalidResponse)
        }

        @Test("A zstd frame with a window of 8 MiB is accepted", .enabled(if: ContentCoding.zstd.isSupported))
        func window() throws {
            let frame = Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x68, 0x01, 0x00, 0x00])
            #expect(try ContentDecoder.decode(whole: frame, codings: [.zstd]).isEmpty)
        }
    }
#endif
