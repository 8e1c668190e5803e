import Waybill

/// A server's upload limits, in bytes, from `Upload-Limit` (resumable upload draft) or `Tus-Max-Size` (tus).
struct UploadLimits: Sendable, Hashable {
    /// The maximum size of an upload.
    var maxSize: Int?
    /// The maximum size of a request's content.
    var maxAppendSize: Int?
    /// The minimum size of a request's content, except for the last request.
    var minAppendSize: Int?

    /// Updates the limits from a response's fields.
    ///
    /// - Returns: whether the fields are valid; false if `Upload-Limit` is malformed.
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

    /// Returns the size of the next request's content: the part size or all remaining bytes, within the server's
    /// limits.
    func count(remaining: Int, maximumPartBytes: Int?) -> Int {
        var count = min(remaining, maximumPartBytes ?? .max)
        if let minAppendSize { count = max(count, min(remaining, minAppendSize)) }
        return min(count, maxAppendSize ?? .max)
    }
}
