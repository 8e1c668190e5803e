import Waybill
import WaybillSystem

/// The checksum at the end of a gzip or zlib stream, for systems whose encoder outputs only raw deflate data.
enum Checksum {
    case crc32(CRC32)
    case adler32(Adler32)

    /// Adds bytes to the checksum.
    mutating func update(_ bytes: Data) {
        switch self {
        case .crc32(var sum):
            sum.update(bytes)
            self = .crc32(sum)
        case .adler32(var sum):
            sum.update(bytes)
            self = .adler32(sum)
        }
    }

    /// The bytes that follow the deflate data (RFC 1952, section 2.3.1; RFC 1950, section 2.2).
    var trailer: Data {
        switch self {
        case .crc32(let sum):
            Data(
                [sum.value, sum.count].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
                }
            )
        case .adler32(let sum): Data((0..<4).map { UInt8(truncatingIfNeeded: sum.value >> (24 - $0 * 8)) })
        }
    }
}

/// The checksum of gzip (RFC 1952, section 8).
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
    }

    private var state: UInt32 = .max
    /// The number of bytes, modulo 2^32.
    private(set) var count: UInt32 = 0

    var value: UInt32 { ~state }

    mutating func update(_ bytes: Data) {
        count &+= UInt32(truncatingIfNeeded: bytes.count)
        state = bytes.reduce(state) { sum, byte in Self.table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
    }
}

/// The checksum of zlib (RFC 1950, section 9).
struct Adler32 {
    private var (low, high): (UInt32, UInt32) = (1, 0)

    var value: UInt32 { high << 16 | low }

    mutating func update(_ bytes: Data) {
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
    }
}
