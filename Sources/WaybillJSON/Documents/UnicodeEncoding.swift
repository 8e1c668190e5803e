import WaybillSystem

/// The encodings of Unicode that JSON was written in before it was UTF-8 alone (RFC 4627, section 3).
enum UnicodeEncoding {
    case utf16BigEndian, utf16LittleEndian, utf32BigEndian, utf32LittleEndian

    /// Returns the encoding of a document that is not UTF-8: by its byte order mark, or by the zeros among its first
    /// two characters, which are ASCII; nil if it is UTF-8.
    static func unusual(of data: Data) -> UnicodeEncoding? {
        data.withUnsafeBytes { bytes in
            guard bytes.count >= 2 else { return nil }
            // Nearly every document ends here.
            if bytes[0] != 0, bytes[1] != 0, bytes[0] < 0xFE { return nil }
            let second: (UInt8, UInt8) = bytes.count >= 4 ? (bytes[2], bytes[3]) : (0xFF, 0xFF)
            switch (bytes[0], bytes[1], second.0, second.1) {
            case (0, 0, 0xFE, 0xFF): return .utf32BigEndian
            case (0xFF, 0xFE, 0, 0): return .utf32LittleEndian
            case (0xFE, 0xFF, _, _): return .utf16BigEndian
            case (0xFF, 0xFE, _, _): return .utf16LittleEndian
            case (0, 0, 0, 1...): return .utf32BigEndian
            case (1..., 0, 0, 0): return .utf32LittleEndian
            case (0, 1..., _, _): return .utf16BigEndian
            case (1..., 0, _, _): return .utf16LittleEndian
            default: return nil
            }
        }
    }

    /// The name of the encoding.
    var name: String {
        switch self {
        case .utf16BigEndian, .utf16LittleEndian: "UTF-16"
        case .utf32BigEndian, .utf32LittleEndian: "UTF-32"
        }
    }

    /// Converts the document to UTF-8; nil if it is not valid in its encoding.
    func utf8(from data: Data) -> Data? {
        switch self {
        case .utf16BigEndian: Self.transcode(data, as: UTF16.self) { UInt16($0[0]) << 8 | UInt16($0[1]) }
        case .utf16LittleEndian: Self.transcode(data, as: UTF16.self) { UInt16($0[1]) << 8 | UInt16($0[0]) }
        case .utf32BigEndian:
            Self.transcode(data, as: UTF32.self) { $0.reduce(0) { $0 << 8 | UInt32($1) } }
        case .utf32LittleEndian:
            Self.transcode(data, as: UTF32.self) { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        }
    }

    private static func transcode<Encoding: Unicode.Encoding>(
        _ data: Data,
        as encoding: Encoding.Type,
        _ unit: (Slice<UnsafeRawBufferPointer>) -> Encoding.CodeUnit
    ) -> Data? {
        let size = MemoryLayout<Encoding.CodeUnit>.size
        guard data.count.isMultiple(of: size) else { return nil }
        let units = data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: size).map { start in
                unit(Slice(base: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + size)]), bounds: 0..<size))
            }
        }
        var utf8 = Data(capacity: data.count)
        let failed = Swift.transcode(
            units.makeIterator(),
            from: encoding,
            to: UTF8.self,
            stoppingOnError: true,
            into: { utf8.append($0) }
        )
        return failed ? nil : utf8
    }
}
