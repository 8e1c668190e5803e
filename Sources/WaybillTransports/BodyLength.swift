import WaybillHTTP

/// The length of a body as declared by the header fields.
package enum BodyLength: Sendable, Hashable {
    /// A number of bytes.
    case known(Int)
    /// No length is declared.
    case unknown
    /// The declared lengths contradict each other, or one is not a number (RFC 9112, section 6.3).
    case contradictory

    /// Reads the length from the fields of a response that has a body.
    package init(_ fields: HTTPFields) {
        guard !fields.contains(.transferEncoding), let value = fields[.contentLength] else {
            self = .unknown
            return
        }
        self.init(values: value)
    }

    /// The number of bytes; nil if unknown.
    package var bytes: Int? { if case .known(let count) = self { count } else { nil } }

    /// Parses the value of `Content-Length`, which may be a list of equal numbers (RFC 9110, section 8.6).
    package init(values: String) {
        // Nearly every response has a single number.
        guard let length = Self.isNumber(values) ? values : Self.length(inList: values) else {
            self = .contradictory
            return
        }
        // A number that overflows is clamped: no body is that long.
        self = .known(Int(length) ?? .max)
    }

    /// Returns the number that a list repeats; nil if its elements differ or are not numbers.
    private static func length(inList values: String) -> String? {
        let lengths = values.split(separator: ",", omittingEmptySubsequences: false).map {
            HTTPField.trimmed(String($0))
        }
        guard let length = lengths.first, isNumber(length), lengths.allSatisfy({ $0 == length }) else { return nil }
        return length
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
