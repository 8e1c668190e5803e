import Foundation
import Waybill

#if os(Linux)
    import WaybillCurl
#elseif canImport(Compression)
    import Compression
#endif

/// The decoding of content-coded bodies (RFC 9110, section 8.4), to search them for secrets.
enum RecordedCoding {
    enum Content: Equatable {
        /// The decoded bytes, or the original bytes if they are not coded or are already readable text.
        case plain(Data)
        /// The codings of a body that cannot be decoded, and therefore not searched for secrets.
        case unreadable(codings: String)
    }

    /// The maximum size of a decoded body, in bytes; a larger one counts as unreadable.
    private static let longestBody = 100_000_000

    /// Returns the content of a body.
    ///
    /// A transport may decode a body but keep its `Content-Encoding` field. Text that cannot be decoded therefore
    /// counts as plain.
    ///
    /// - Parameters:
    ///   - bytes: the body.
    ///   - fields: its header fields.
    /// - Returns: the decoded bytes, or the codings that make the body unreadable.
    static func content(of bytes: Data, _ fields: HTTPFields) -> Content {
        let codings = fields.contentCodings
        guard !codings.isEmpty, !bytes.isEmpty else { return .plain(bytes) }
        if let plain = decoded(bytes, codings) { return .plain(plain) }
        // A custom coding may produce Base64, which is text but hides secrets.
        let isBase64 = Data(base64Encoded: bytes.filter { $0 > 0x20 }) != nil
        guard RecordedBody(bytes: bytes).text != nil, !isBase64 else {
            return .unreadable(codings: codings.joined(separator: ", "))
        }
        return .plain(bytes)
    }

    #if os(Linux)
        private static func decoded(_ bytes: Data, _ names: [String]) -> Data? {
            guard let codings = try? ContentCoding.codings(of: names.joined(separator: ",")) else { return nil }
            return try? ContentDecoder.decode(whole: bytes, codings: codings, limit: longestBody)
        }
    #elseif canImport(Compression)
        private static func decoded(_ bytes: Data, _ names: [String]) -> Data? {
            guard names.count <= 5 else { return nil }
            var plain = bytes
            for name in names.reversed() {
                guard let next = undone(name, in: plain) else { return nil }
                plain = next
            }
            return plain
        }

        private static func undone(_ name: String, in bytes: Data) -> Data? {
            switch name {
            case "gzip", "x-gzip":
                guard let deflated = deflated(in: bytes) else { return nil }
                return inflated(deflated, by: .zlib)
            // Some servers omit the RFC 1950 header.
            case "deflate": return inflated(bytes.dropFirst(2), by: .zlib) ?? inflated(bytes, by: .zlib)
            case "br": return inflated(bytes, by: .brotli)
            default: return nil
            }
        }

        private static func inflated(_ bytes: Data, by algorithm: Algorithm) -> Data? {
            var rest = bytes[...]
            var decoded = Data()
            let filter = try? InputFilter(.decompress, using: algorithm) { (count: Int) -> Data? in
                defer { rest = rest.dropFirst(count) }
                return rest.isEmpty ? nil : Data(rest.prefix(count))
            }
            do {
                while let piece = try filter?.readData(ofLength: 65_536), !piece.isEmpty {
                    decoded += piece
                    guard decoded.count <= longestBody else { return nil }
                }
            } catch {
                return nil
            }
            return filter == nil ? nil : decoded
        }

        /// Returns the deflated bytes after the gzip header (RFC 1952, section 2.3), or nil if the header is missing or
        /// invalid.
        private static func deflated(in bytes: Data) -> Data? {
            var rest = bytes[...]
            guard rest.starts(with: [0x1F, 0x8B, 8]), rest.count >= 18, let flags = rest.dropFirst(3).first else {
                return nil
            }
            rest = rest.dropFirst(10)
            if flags & 4 != 0 {
                guard rest.count >= 2, let low = rest.first, let high = rest.dropFirst().first else { return nil }
                rest = rest.dropFirst(2 + Int(low) + Int(high) << 8)
            }
            // The file name and the comment are zero-terminated.
            for flag in [8, 16] as [UInt8] where flags & flag != 0 {
                guard let end = rest.firstIndex(of: 0) else { return nil }
                rest = rest[end...].dropFirst()
            }
            if flags & 2 != 0 { rest = rest.dropFirst(2) }
            return Data(rest)
        }
    #else
        private static func decoded(_ bytes: Data, _ names: [String]) -> Data? { nil }
    #endif
}

extension RecordedBody {
    /// Returns the bytes with the values of secret members or items redacted, and those values.
    func split(_ names: SecretNameSet) -> (bytes: Data, values: [String]) {
        if let (wide, encoding) = wideText {
            let (shown, values) = RecordedBody(bytes: Data(wide.utf8), mediaType: mediaType).split(names)
            // Binary data may look like UTF-16 or UTF-32, so it stays unchanged unless a secret is found.
            if !values.isEmpty {
                return (String(decoding: shown, as: UTF8.self).data(using: encoding) ?? Data(), values)
            }
        }
        // Other encodings, and the text parts of a multipart body, represent ASCII characters as single bytes.
        guard let text else { return SecretMembers.split(bytes: bytes, names) }
        if MediaType(mediaType) == .form {
            let shown = Redaction.form(text, secretNames: names)
            let values = SentSecrets.values(in: bytes, .form, names) + SecretMembers.split(text, names).values
            return (Data(shown.utf8), values)
        }
        let (shown, values) = SecretMembers.split(text, names)
        return (Data(shown.utf8), values)
    }

    /// The text and encoding of UTF-16 or UTF-32 bytes, in which ASCII characters contain zero bytes; nil for other
    /// bytes.
    private var wideText: (text: String, encoding: String.Encoding)? {
        let head = Array(bytes.prefix(4))
        guard head.count >= 2, bytes.contains(0) else { return nil }
        // Detected by the byte order mark, or by the first character, which is ASCII in JSON, forms and XML.
        let isWide = head.count == 4
        let encoding: String.Encoding
        if isWide, head[0] == 0, head[1] == 0 {
            encoding = .utf32BigEndian
        } else if isWide, head[1] != 0 || head[0] == 0xFF, head[2] == 0, head[3] == 0 {
            encoding = .utf32LittleEndian
        } else if isWide, head[1] == 0, head[2] == 0, head[3] == 0 {
            encoding = .utf32LittleEndian
        } else if head[0] == 0 || head[0] == 0xFE && head[1] == 0xFF {
            encoding = .utf16BigEndian
        } else if head[1] == 0 || head[0] == 0xFF && head[1] == 0xFE {
            encoding = .utf16LittleEndian
        } else {
            return nil
        }
        return String(data: bytes, encoding: encoding).map { ($0, encoding) }
    }

    /// Redacts the values of secret members and items, and other secret values.
    mutating func remove(_ names: SecretNameSet) {
        let values = names.longValues
        mediaType = Redaction.removing(values, from: mediaType)
        bytes = split(names).bytes
        if let (wide, encoding) = wideText {
            let shown = Redaction.removing(values, from: wide)
            if shown != wide { bytes = shown.data(using: encoding) ?? Data() }
        }
        if let text {
            let shown = Redaction.removing(values, from: text)
            if shown != text { bytes = Data(shown.utf8) }
        } else {
            for value in values { bytes = bytes.replacing(Data(value.utf8), with: Data(Redaction.mark.utf8)) }
        }
    }
}

extension RecordedExchange {
    /// The decoded response body; empty if it is unreadable.
    var plainResponseBody: Data {
        switch RecordedCoding.content(of: responseBody.bytes, responseFields) {
        case .plain(let plain): plain
        case .unreadable: Data()
        }
    }

    /// Redacts secrets in the response body, and omits a body whose content coding hides any.
    mutating func removeFromResponseBody(_ names: SecretNameSet) {
        switch RecordedCoding.content(of: responseBody.bytes, responseFields) {
        case .plain(let plain) where plain == responseBody.bytes:
            let length = responseBody.bytes.count
            responseBody.remove(names)
            keepLength(of: length)
        case .plain(let plain):
            var body = RecordedBody(bytes: plain, mediaType: responseBody.mediaType)
            body.remove(names)
            // A replay must return the coded bytes, so they cannot be redacted.
            if body.bytes != plain { leaveOutResponseBody(responseFields.contentCodings.joined(separator: ", ")) }
        case .unreadable(let codings): leaveOutResponseBody(codings)
        }
    }

    private mutating func leaveOutResponseBody(_ codings: String) {
        responseBody.bytes = Data()
        fault = RecordedFault(
            kind: .other,
            message: "the body is omitted, because the content coding \(codings), which the transport did not decode, "
                + "hides secrets; declare Header(\"Accept-Encoding\", \"identity\"), and record it again"
        )
    }
}
