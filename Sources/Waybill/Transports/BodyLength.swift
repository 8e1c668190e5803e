/// What the fields of a head say about the length of the body.
enum BodyLength: Sendable, Hashable {
    /// So many bytes.
    case known(Int)
    /// It ends where it ends.
    case unknown
    /// Several fields contradict each other (RFC 9112, section 6.3).
    case contradictory

    /// Reads the fields of a response that has a body.
    init(_ fields: HTTPFields) {
        guard !fields.contains(.transferEncoding), let value = fields[.contentLength] else {
            self = .unknown
            return
        }
        let lengths = Set(value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } })
        guard lengths.count == 1, let length = lengths.first, length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            self = .contradictory
            return
        }
        // More bytes than can be counted will not come.
        self = .known(Int(length) ?? .max)
    }
}
