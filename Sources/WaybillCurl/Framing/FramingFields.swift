#if os(Linux)
    import WaybillHTTP
    import WaybillTransports

    /// The framing of a response body, as declared by the header fields (RFC 9112, section 6.3).
    ///
    /// An ambiguous head is invalid, even if libcurl accepts it: otherwise, an attacker who controls part of a response
    /// could determine where the next one begins.
    struct FramingFields {
        /// The first problem found in the head; nil if it is valid.
        private(set) var problem: String?

        /// Whether the body has the chunked transfer coding.
        private(set) var isChunked = false

        /// The length of a body without the chunked coding, in bytes; nil if it is not declared.
        private(set) var length: Int?

        private enum Name {
            case contentLength
            case transferEncoding
            case other
        }

        private var last: Name?

        /// Reads a header line, with or without its line break.
        mutating func read(_ line: UnsafeRawBufferPointer) {
            guard problem == nil, let first = line.first else { return }
            guard !Self.isSpace(first) else {
                switch last {
                case nil: problem = "a head whose first field starts with whitespace"
                case .contentLength, .transferEncoding: problem = "a folded framing field"
                case .other: break
                }
                return
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                last = .other
                return
            }
            let name = line[..<colon]
            let kind = Self.name(name)
            last = kind
            guard kind != .other else { return }
            guard !name.contains(where: Self.isSpace) else {
                problem = "whitespace between the name of a framing field and its colon"
                return
            }
            let value = String(decoding: line[(colon + 1)...].filter { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
            if kind == .contentLength { readLength(HTTPField.trimmed(value)) } else { readCodings(value) }
        }

        private mutating func readLength(_ value: String) {
            guard case .known(let count) = BodyLength(values: value), count != .max, length == nil || length == count
            else {
                problem = "a Content-Length that is not a single number"
                return
            }
            length = count
        }

        private mutating func readCodings(_ value: String) {
            let codings = value.split(separator: ",").map { HTTPField.trimmed(String($0)).asciiLowercased }
            guard codings.filter({ $0 != "identity" }) == ["chunked"], !isChunked else {
                problem = codings == ["identity"] ? problem : "a Transfer-Encoding other than chunked"
                return
            }
            isChunked = true
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

        private static func name(_ bytes: Slice<UnsafeRawBufferPointer>) -> Name {
            // Most names are shorter or start with a different letter.
            guard bytes.count >= "content-length".utf8.count, let first = bytes.first.map({ $0 | 0x20 }),
                first == 0x63 || first == 0x74
            else { return .other }
            let letters = bytes.lazy.filter { !isSpace($0) }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            if letters.elementsEqual("content-length".utf8) { return .contentLength }
            return letters.elementsEqual("transfer-encoding".utf8) ? .transferEncoding : .other
        }
    }
#endif
