#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// The head of a response, parsed from its lines.
    struct CurlHead: Sendable {
        let status: HTTPResponse.Status
        let fields: HTTPFields

        /// Parses a status line and the lines after it, skipping lines that are not fields.
        ///
        /// - Parameters:
        ///   - bytes: the lines.
        ///   - host: the host, for error messages.
        /// - Throws: `TransportError` of kind `TransportError.Kind.invalidResponse` if the first line is not a status
        ///   line.
        init(_ bytes: [UInt8], host: String) throws(TransportError) {
            let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
            let line = bytes[..<end]
            guard let code = Self.statusCode(of: line) else {
                throw TransportError(.invalidResponse, "\(host) sent no HTTP status line")
            }
            status = HTTPResponse.Status(code: code, reasonPhrase: Self.reasonPhrase(of: line))
            fields = Self.fields(bytes[min(end + 1, bytes.endIndex)...])
        }

        /// Returns the code in a status line; nil if the line is not one.
        static func statusCode(of line: some Collection<UInt8>) -> Int? {
            guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: 0x20) else { return nil }
            let digits = line[space...].drop { $0 == 0x20 }.prefix { (0x30...0x39).contains($0) }
            guard digits.count == 3 else { return nil }
            let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            return code >= 100 ? code : nil
        }

        /// Returns the reason phrase of a status line; empty if there is no phrase.
        private static func reasonPhrase(of line: ArraySlice<UInt8>) -> String {
            var rest = line
            for _ in 0..<2 { rest = rest.drop { $0 == 0x20 }.drop { $0 != 0x20 } }
            rest = rest.drop { $0 == 0x20 }
            if rest.last == 0x0D { rest = rest.dropLast() }
            return FieldText.latin1(FieldText.text(of: rest.contains(0x0D) ? rest.filter { $0 != 0x0D }[...] : rest))
        }

        /// Parses the fields in header lines, in order.
        ///
        /// A folded line continues the previous field (RFC 9112, section 5.2). A line without a valid name is skipped.
        static func fields(_ bytes: ArraySlice<UInt8>) -> HTTPFields {
            var fields = HTTPFields()
            // The previous field, which a folded line may continue.
            var last: (name: HTTPField.Name, value: String)?
            func appendLast() {
                guard let last else { return }
                fields.append(HTTPField(name: last.name, value: last.value))
            }
            var rest = bytes
            while !rest.isEmpty {
                let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
                var line = rest[..<end]
                rest = rest[min(end + 1, rest.endIndex)...]
                if line.last == 0x0D { line = line.dropLast() }
                guard let first = line.first else { continue }
                if first == 0x20 || first == 0x09 {
                    last?.value += " " + FieldText.text(of: trimmed(line))
                } else if let colon = line.firstIndex(of: 0x3A), let name = name(trimmed(line[..<colon])) {
                    appendLast()
                    last = (name, FieldText.text(of: trimmed(line[(colon + 1)...])))
                }
            }
            appendLast()
            return fields
        }

        private static func name(_ bytes: ArraySlice<UInt8>) -> HTTPField.Name? {
            bytes.withUnsafeBytes { HTTPField.Name(knownBytes: $0) } ?? HTTPField.Name(FieldText.text(of: bytes))
        }

        private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
            let head = bytes.drop(while: isSpace)
            return head[..<(head.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? head.startIndex)]
        }
    }
#endif
