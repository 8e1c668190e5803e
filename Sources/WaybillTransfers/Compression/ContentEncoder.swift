import Waybill
import WaybillSystem

#if os(Linux)
    internal import CWaybill
#elseif canImport(Compression)
    import Compression
#endif

/// An encoder that compresses one body with a content coding.
struct ContentEncoder: ~Copyable {
    #if os(Linux)
        private let encoder: OpaquePointer

        /// Creates an encoder; returns nil if the system lacks the library for the coding.
        init?(_ coding: Compressed.Coding) {
            guard let encoder = waybill_encoder_create(coding.libraryCoding) else { return nil }
            self.encoder = encoder
        }

        deinit { waybill_encoder_destroy(encoder) }

        /// Encodes the next bytes of the body.
        ///
        /// - Parameters:
        ///   - bytes: the next bytes.
        ///   - isLast: whether these bytes end the body.
        /// - Returns: the encoded bytes, which may be empty; nil if the library is out of memory.
        mutating func encode(_ bytes: Data, isLast: Bool) -> Data? {
            var encoded = Data()
            let pieceSize = 64 * 1024
            return bytes.withUnsafeBytes { (input: UnsafeRawBufferPointer) -> Data? in
                var taken = 0
                var status: Int32 = 0
                repeat {
                    var (consumed, produced) = (0, 0)
                    let piece = withUnsafeTemporaryAllocation(byteCount: pieceSize, alignment: 1) { room -> Data in
                        let rest = UnsafeRawBufferPointer(rebasing: input[taken...])
                        status = waybill_encoder_encode(
                            encoder,
                            rest.baseAddress?.assumingMemoryBound(to: UInt8.self),
                            rest.count,
                            isLast,
                            room.baseAddress?.assumingMemoryBound(to: UInt8.self),
                            room.count,
                            &consumed,
                            &produced
                        )
                        return Data(UnsafeRawBufferPointer(rebasing: room[..<produced]))
                    }
                    taken += consumed
                    encoded.append(piece)
                } while status > 0
                return status < 0 ? nil : encoded
            }
        }
    #elseif canImport(Compression)
        private final class Output {
            var bytes = Data()
        }

        private let coding: Compressed.Coding
        private let filter: OutputFilter
        private let output: Output
        private var checksum: Checksum
        private var hasBegun = false

        /// Creates an encoder; returns nil if the system does not support the coding.
        init?(_ coding: Compressed.Coding) {
            guard coding != .zstd else { return nil }
            let output = Output()
            let filter = try? OutputFilter(.compress, using: .zlib) { if let bytes = $0 { output.bytes += bytes } }
            guard let filter else { return nil }
            self.coding = coding
            self.filter = filter
            self.output = output
            checksum = coding == .gzip ? .crc32(CRC32()) : .adler32(Adler32())
        }

        /// Encodes the next bytes of the body.
        ///
        /// - Parameters:
        ///   - bytes: the next bytes.
        ///   - isLast: whether these bytes end the body.
        /// - Returns: the encoded bytes, which may be empty; nil if the encoder fails.
        mutating func encode(_ bytes: Data, isLast: Bool) -> Data? {
            var encoded = hasBegun ? Data() : Self.head(of: coding)
            hasBegun = true
            checksum.update(bytes)
            do {
                if !bytes.isEmpty { try filter.write(bytes) }
                if isLast { try filter.finalize() }
            } catch {
                return nil
            }
            encoded += output.bytes
            output.bytes = Data()
            if isLast { encoded += checksum.trailer }
            return encoded
        }

        /// Returns the header of the stream, without a file name or modification time (RFC 1952, section 2.3; RFC 1950,
        /// section 2.2).
        private static func head(of coding: Compressed.Coding) -> Data {
            coding == .gzip ? Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]) : Data([0x78, 0x9C])
        }
    #else
        /// Returns nil: no coding is supported on this system.
        init?(_ coding: Compressed.Coding) { return nil }

        mutating func encode(_ bytes: Data, isLast: Bool) -> Data? { nil }
    #endif
}

extension Compressed.Coding {
    /// The codings that the system supports, determined once since an encoder allocates 256 kB.
    private static let supported = Set(allCases.filter { ContentEncoder($0) != nil })

    /// Whether the system supports the coding; the first access loads the libraries.
    var isSupported: Bool { Self.supported.contains(self) }

    #if os(Linux)
        fileprivate var libraryCoding: CWaybillCoding {
            switch self {
            case .gzip: .gzip
            case .deflate: .deflate
            case .zstd: .zstd
            }
        }
    #endif
}
