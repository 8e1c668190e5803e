#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    @testable import WaybillTransfers

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Content encoders")
    struct ContentEncoderTests {
        /// Compressible and incompressible bodies.
        private static let bodies: [Data] = {
            var random = SplitMix64(seed: 7)
            return [
                Data(), Data("a".utf8), Data(String(repeating: "waybill ", count: 50_000).utf8),
                Data((0..<300_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }),
            ]
        }()

        private static func decoded(_ bytes: Data, _ coding: Compressed.Coding) throws -> Data {
            let coding = try #require(ContentCoding(rawValue: coding.rawValue))
            return try ContentDecoder.decode(whole: bytes, codings: [coding])
        }

        @Test(
            "Data encoded in chunks of any size decodes to the same bytes",
            arguments: Compressed.Coding.allCases
        )
        func roundTrip(coding: Compressed.Coding) throws {
            for body in Self.bodies {
                for size in [1_000, 65_536, 1_000_000] {
                    let pieces = stride(from: 0, to: body.count, by: size).map { body[$0..<min($0 + size, body.count)] }
                    #expect(try Self.decoded(try Self.encoded(pieces + [Data()], coding), coding) == body)
                }
                #expect(try Self.decoded(try Self.encoded([body], coding), coding) == body)
            }
        }

        /// Returns chunks in a content coding.
        ///
        /// The last chunk ends the body.
        private static func encoded(_ pieces: [Data], _ coding: Compressed.Coding) throws -> Data {
            guard var encoder = ContentEncoder(coding) else { throw Missing() }
            var encoded = Data()
            for (index, piece) in pieces.enumerated() {
                guard let bytes = encoder.encode(piece, isLast: index == pieces.count - 1) else { throw Missing() }
                encoded += bytes
            }
            return encoded
        }

        private struct Missing: Error {}
    }

    @Suite("Checksums for gzip and zlib")
    struct ChecksumTests {
        @Test(
            "Checksums match other implementations",
            arguments: [
                ("", 0x0000_0000, 0x0000_0001), ("a", 0xE8B7_BE43, 0x0062_0062),
                ("123456789", 0xCBF4_3926, 0x091E_01DE),
                ("The quick brown fox jumps over the lazy dog", 0x414F_A339, 0x5BDC_0FDA),
            ] as [(String, UInt32, UInt32)]
        )
        func sums(text: String, crc: UInt32, adler: UInt32) {
            var (first, second) = (CRC32(), Adler32())
            for byte in text.utf8 {
                first.update(Data([byte]))
                second.update(Data([byte]))
            }
            #expect(first.value == crc)
            #expect(second.value == adler)
        }

        @Test("Trailers have the byte order of their format")
        func trailers() {
            var (gzip, zlib) = (Checksum.crc32(CRC32()), Checksum.adler32(Adler32()))
            gzip.update(Data("123456789".utf8))
            zlib.update(Data("123456789".utf8))
            #expect(gzip.trailer == Data([0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0]))
            #expect(zlib.trailer == Data([0x09, 0x1E, 0x01, 0xDE]))
        }
    }
#endif
