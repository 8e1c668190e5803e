import WaybillSystem

/// The parts of a multipart form and the boundary between them.
package struct MultipartForm: Sendable {
    /// The parts in order.
    package var parts: [EncodedPart]

    /// The boundary between the parts.
    package let boundary: String

    /// Creates a form.
    ///
    /// - Parameters:
    ///   - parts: the parts.
    ///   - randomBits: a closure that returns 64 random bits. A boundary contains 128, so the content need not be
    ///     searched for it.
    ///   - boundary: the boundary to reuse if an upload is resumed; nil to generate one.
    init(_ parts: [EncodedPart], randomBits: () -> UInt64, boundary: String? = nil) {
        self.parts = parts
        self.boundary = boundary.flatMap(Self.checked) ?? Self.digits(randomBits()) + Self.digits(randomBits())
    }

    /// Returns a boundary from an earlier process if this type could have generated it; nil otherwise.
    private static func checked(_ boundary: String) -> String? {
        boundary.utf8.count == 32 && boundary.utf8.allSatisfy(\.isHexadecimalDigit) ? boundary : nil
    }

    /// The media type.
    ///
    /// The boundary consists of hexadecimal digits and needs no quotation marks.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The complete form, with a delimiter before each part (RFC 2046, section 5.1.1).
    ///
    /// The parts are read while the form is sent.
    var body: HTTPBody {
        var bodies: [HTTPBody] = []
        var separator = "--\(boundary)\r\n"
        for part in parts {
            bodies.append(HTTPBody(Data((separator + part.head).utf8)))
            bodies.append(part.content)
            separator = "\r\n--\(boundary)\r\n"
        }
        bodies.append(HTTPBody(Data("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)))
        return HTTPBody(joining: bodies)
    }

    /// Returns the values of parts with secret names, and the secret values within JSON and form parts.
    func secretValues(_ names: SecretNameSet) -> [String] {
        parts.flatMap { part -> [String] in
            guard let bytes = part.content.bytes, bytes.count <= SentSecrets.longestBody else { return [] }
            if names.contains(part.name) { return [String(decoding: bytes, as: UTF8.self)].filter { $0.count >= 4 } }
            return SentSecrets.values(in: bytes, part.contentType.map(MediaType.init), names)
        }
    }

    private static func digits(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
