/// The length of a body, as the fields of a head declare it.
enum BodyLength: Sendable, Hashable {
    /// So many bytes.
    case known(Int)
    /// It ends where it ends.
    case unknown
    /// Several fields contradict each other, or one is no number (RFC 9112, section 6.3).
    case contradictory

    /// Reads the fields of a response that has a body.
    init(_ fields: HTTPFields) {
        guard !fields.contains(.transferEncoding), let value = fields[.contentLength] else {
            self = .unknown
            return
        }
        self.init(values: value)
    }

    /// Reads the value of `Content-Length`, which an intermediary may have made a list of equal numbers.
    init(values: String) {
        let lengths = Set(
            values.split(separator: ",", omittingEmptySubsequences: false).map { HTTPField.trimmed(String($0)) }
        )
        guard lengths.count == 1, let length = lengths.first, !length.isEmpty,
            length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            self = .contradictory
            return
        }
        // More bytes than can be counted will not come.
        self = .known(Int(length) ?? .max)
    }
}
