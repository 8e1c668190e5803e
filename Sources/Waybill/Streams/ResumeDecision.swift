import WaybillSystem

/// The consequence of a response for an unfinished file.
enum ResumeDecision: Sendable, Hashable {
    /// The body belongs at this range of the file, and nothing is kept after its start.
    case append(Range<Int>, complete: Int?)
    /// The body is the whole file; the reason is nil if nothing was there to be dropped.
    case startAgain(CallEvent.RestartReason?)
    /// The response does not help: the whole file has to be requested.
    case requestWhole(CallEvent.RestartReason)
    /// The file is complete.
    case complete
    /// The status is a failure of the call.
    case fail
    /// The response is not allowed in HTTP.
    case reject(String)
}

/// The state of an unfinished file and the request for the rest of it.
struct ResumeState: Sendable, Hashable {
    /// The number of bytes that are there.
    var length = 0

    /// The facts about them; nil if they cannot be continued.
    var record: PartRecord?

    /// The offset from which the rest was requested; nil if the whole was.
    var requestedOffset: Int?

    /// Whether the declaration itself asks for a part, which is then all there is to save.
    var isPartDeclared = false

    /// The offset from which to request the rest; nil if the whole has to be requested.
    ///
    /// Of a file that may be complete the last byte is requested again: the response to it states the validator, which
    /// a 416 need not.
    var nextOffset: Int? {
        guard let record, length > 0, !isPartDeclared else { return nil }
        guard let complete = record.length else { return length }
        return length > complete ? nil : min(length, complete - 1)
    }

    /// Returns the consequence of a response.
    ///
    /// - Parameters:
    ///   - response: the head of the response.
    ///   - isDecoded: whether the transport has undone a content coding.
    ///   - isSuccess: whether its status counts as success.
    /// - Returns: the consequence for the file.
    func decision(after response: HTTPResponse, isDecoded: Bool = false, isSuccess: Bool) -> ResumeDecision {
        let fields = response.headerFields
        if let requestedOffset, let record {
            if response.status == 206 { return decision(record, from: requestedOffset, response, isDecoded) }
            if response.status == 416 { return isComplete(record, fields) ? .complete : .requestWhole(.rangeRejected) }
        }
        guard isSuccess else { return .fail }
        if response.status == 206, !isPartDeclared {
            return .reject("it is a part of the file, and the whole was requested")
        }
        guard length > 0 else { return .startAgain(nil) }
        guard requestedOffset != nil, let record else { return .startAgain(.notResumable) }
        return .startAgain(record.validator.isStated(by: fields) ? .rangeIgnored : .changed)
    }

    /// Returns the consequence of a 206 (RFC 9110, section 15.3.7).
    private func decision(
        _ record: PartRecord,
        from offset: Int,
        _ response: HTTPResponse,
        _ isDecoded: Bool
    ) -> ResumeDecision {
        let fields = response.headerFields
        guard record.validator.isStated(by: fields, mayOmitDate: true) else { return .requestWhole(.changed) }
        guard !isDecoded, !fields.isCoded,
            case .part(let range, let complete)? = fields[.contentRange].flatMap(ContentRange.init),
            // A part that begins early overlaps what is there; one that begins late leaves a gap.
            range.lowerBound <= length,
            // Without a byte more than before, the next request would be the same.
            range.upperBound > length || range.upperBound == record.length
        else { return .requestWhole(.unusableRange) }
        if let complete, let expected = record.length, complete != expected { return .requestWhole(.changed) }
        return .append(range, complete: complete ?? record.length)
    }

    /// Whether a 416 says that nothing is missing (RFC 9110, section 15.5.17).
    private func isComplete(_ record: PartRecord, _ fields: HTTPFields) -> Bool {
        guard case .unsatisfied(let complete)? = fields[.contentRange].flatMap(ContentRange.init) else { return false }
        return complete == length && (record.length ?? complete) == complete && record.validator.isStated(by: fields)
    }
}

extension HTTPFields {
    /// Whether the representation has a content coding.
    var isCoded: Bool { !contentCodings.isEmpty }

    /// The content codings of the representation in lowercase, in the order they were applied.
    package var contentCodings: [String] { names(in: .contentEncoding).filter { $0 != "identity" } }

    /// Returns the names in the lists of a field, in lower case and without their weights.
    func names(in field: HTTPField.Name) -> [String] {
        self[values: field].flatMap { $0.split(separator: ",") }
            .map { $0.prefix { $0 != ";" }.trimmed().asciiLowercased }.filter { !$0.isEmpty }
    }
}

/// The value of a `Content-Range` field (RFC 9110, section 14.4), in bytes.
enum ContentRange: Sendable, Hashable {
    /// The bytes of a part, and the length of the whole if the server knows it.
    case part(Range<Int>, complete: Int?)
    /// The length of the whole, of which nothing is sent.
    case unsatisfied(complete: Int)

    /// Parses a field value; nil for another unit, and for a range that contradicts itself.
    init?(_ value: String) {
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false).map { $0.trimmed() }
        guard parts.count == 2 else { return nil }
        let complete = Self.number(parts[1])
        guard complete != nil || parts[1] == "*" else { return nil }
        if parts[0] == "*" {
            guard let complete else { return nil }
            self = .unsatisfied(complete: complete)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number(String($0)) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < complete ?? .max else {
            return nil
        }
        self = .part(first..<last + 1, complete: complete)
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

extension HTTPFields {
    /// The SHA-256 digest of the whole representation, in Base64, as `Repr-Digest` states it (RFC 9530, section 3).
    ///
    /// Nil if the field is missing or malformed.
    var reprDigest: String? {
        guard let value = self[.reprDigest],
            case .bytes(let digest)? = StructuredField.dictionary(value)?["sha-256"]?.value, digest.count == 32
        else { return nil }
        return digest.base64EncodedString()
    }
}

/// A validator that says of two representations that their bytes are the same (RFC 9110, section 8.8.1).
enum StrongValidator: Sendable, Hashable {
    /// A strong entity tag.
    case entityTag(String)
    /// A date of the last change that lies at least a second before the response (section 8.8.2.2).
    case lastModified(String)

    /// Returns the validator of a response; nil if it has none that is strong.
    ///
    /// - Parameters:
    ///   - fields: the header fields of the response.
    ///   - now: the current date, for years of two digits.
    init?(_ fields: HTTPFields, now: Date) {
        if fields.contains(.eTag) {
            // A date is no substitute for a weak tag (section 13.1.5).
            guard let tag = fields.entityTag, !tag.isWeak else { return nil }
            self = .entityTag("\(tag)")
            return
        }
        guard let text = fields[.lastModified], let changed = HTTPDate.date(from: text, now: now),
            let sent = fields[.date].flatMap({ HTTPDate.date(from: $0, now: now) }),
            sent.timeIntervalSince(changed) >= 1
        else { return nil }
        self = .lastModified(text)
    }

    /// The value for an `If-Range` field.
    var fieldValue: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Whether a response states the same validator.
    ///
    /// - Parameters:
    ///   - fields: the header fields of the response.
    ///   - mayOmitDate: whether a date need not be repeated, as in a 206 to a request with `If-Range` (section 15.3.7).
    /// - Returns: whether both are the same.
    func isStated(by fields: HTTPFields, mayOmitDate: Bool = false) -> Bool {
        switch self {
        case .entityTag(let text):
            guard let own = EntityTag(text), let other = fields.entityTag else { return false }
            return own.matchesStrongly(other)
        case .lastModified(let text):
            guard let other = fields[.lastModified] else { return mayOmitDate }
            return other == text
        }
    }
}
