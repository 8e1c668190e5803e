import Waybill
import WaybillSystem

/// A condition or range set by the caller, which can be evaluated against a stored response (RFC 9111, section 4.3.2;
/// RFC 9110, section 14.2).
enum CallerCondition: Sendable, Equatable {
    /// The bytes from `first` through `last`; if `first` is nil, the final `last` bytes.
    case range(first: Int?, last: Int?)
    /// The value of `If-None-Match`.
    case noneMatch(String)
    case modifiedSince(Date)

    /// Creates the condition of a request; returns nil if the request has no condition, an unsupported combination, or
    /// one that only the server can evaluate.
    init?(of request: CallRequest) {
        let fields = request.headerFields
        guard request.method.isStorable, request.hasCacheableContent,
            ![HTTPField.Name.ifMatch, .ifUnmodifiedSince, .ifRange].contains(where: { fields.contains($0) })
        else { return nil }
        let (range, tags, date) = (fields[.range], fields[.ifNoneMatch], fields[.ifModifiedSince])
        switch (range, tags, date) {
        case (let range?, nil, nil):
            guard let range = Self(range: range) else { return nil }
            self = range
        // With entity tags, the date is ignored (RFC 9110, section 13.1.3).
        case (nil, let tags?, _): self = .noneMatch(tags)
        case (nil, nil, let date?):
            guard let date = HTTPDate.date(from: date) else { return nil }
            self = .modifiedSince(date)
        default: return nil
        }
    }

    /// Parses a byte range; returns nil for a different unit, multiple ranges, or an invalid range.
    private init?(range: String) {
        let parts = range.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return nil
        }
        let (first, last) = (Int(ends[0]), Int(ends[1]))
        guard (first != nil) == !ends[0].isEmpty, (last != nil) == !ends[1].isEmpty, first != nil || last != nil else {
            return nil
        }
        if let first, let last, last < first { return nil }
        self = .range(first: first, last: last)
    }

    /// Returns the response to the conditional request; nil if only the server can evaluate the condition.
    func result(from stored: StoredResponse) -> StoredResponse? {
        switch self {
        case .range(let first, let last): stored.part(from: first, to: last)
        case .noneMatch(let tags): Self.names(tags, stored) ? stored.notModified : stored
        case .modifiedSince(let date): stored.changeDate <= date ? stored.notModified : stored
        }
    }

    /// Whether a list of entity tags includes that of a stored response.
    private static func names(_ tags: String, _ stored: StoredResponse) -> Bool {
        if tags == "*" { return true }
        guard let own = stored.headerFields.entityTag else { return false }
        // A tag may contain a comma, so the whole list is compared as well.
        return ["\"\(own.opaqueTag)\"", "W/\"\(own.opaqueTag)\""].contains { tag in
            tags.split(separator: ",").contains { $0.trimmed().hasSameBytes(as: tag) }
                || tags.hasSameBytes(as: tag)
        }
    }
}

extension StoredResponse {
    /// The date of the last modification; if unknown, the date of the response.
    fileprivate var changeDate: Date { lastModifiedText.flatMap { HTTPDate.date(from: $0) } ?? date }

    fileprivate var notModified: StoredResponse {
        var response = self
        response.status = 304
        response.body = Data()
        response.headerFields.removeAll(named: .contentLength)
        return response
    }

    /// Returns a part of the body as a 206 response; nil if the part is outside the body.
    ///
    /// Also returns nil if the status is not 200, or if the response had a content coding, since ranges refer to the
    /// encoded bytes.
    fileprivate func part(from first: Int?, to last: Int?) -> StoredResponse? {
        guard status == 200, !headerFields.contains(.contentEncoding) else { return nil }
        let length = body.count
        let start = first ?? max(0, length - (last ?? 0))
        let end = first == nil ? length : min(length, (last ?? .max - 1) + 1)
        guard start < end else { return nil }
        var response = self
        response.status = 206
        response.body = Data(body.dropFirst(start).prefix(end - start))
        response.headerFields[HTTPField.Name.contentRange] = "bytes \(start)-\(end - 1)/\(length)"
        response.headerFields[.contentLength] = "\(end - start)"
        return response
    }
}
