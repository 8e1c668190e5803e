/// The limits of a server, in bytes (`Upload-Limit` of the draft, `Tus-Max-Size`).
struct UploadLimits: Sendable, Hashable {
    /// The most bytes of an upload.
    var maxSize: Int?
    /// The most bytes of the content of a request.
    var maxAppendSize: Int?
    /// The fewest bytes of the content of a request, unless it is the last.
    var minAppendSize: Int?

    /// Adds the limits in the fields of a response.
    ///
    /// - Returns: false if `Upload-Limit` is not what the draft allows.
    mutating func read(_ fields: HTTPFields) -> Bool {
        if let text = fields[.tusMaxSize], case .integer(let size)? = StructuredField.item(text)?.value, size >= 0 {
            maxSize = size
        }
        guard let text = fields[.uploadLimit] else { return true }
        guard let members = StructuredField.dictionary(text) else { return false }
        var read = self
        for key in ["max-size", "min-size", "max-append-size", "min-append-size", "max-age"] {
            guard let member = members[key] else { continue }
            guard case .integer(let value)? = member.value, value >= 0 else { return false }
            switch key {
            case "max-size": read.maxSize = value
            case "max-append-size": read.maxAppendSize = max(1, value)
            case "min-append-size": read.minAppendSize = value
            default: break
            }
        }
        self = read
        return true
    }

    /// Returns the number of bytes for the next request: as many as are allowed.
    func count(remaining: Int, partSize: Int?) -> Int {
        var count = min(remaining, partSize ?? .max)
        if let minAppendSize { count = max(count, min(remaining, minAppendSize)) }
        return min(count, maxAppendSize ?? .max)
    }
}
