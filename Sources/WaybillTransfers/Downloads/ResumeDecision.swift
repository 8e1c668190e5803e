import Waybill
import WaybillSystem

/// A decision on how to proceed with an unfinished file after a response.
enum ResumeDecision: Sendable, Hashable {
    /// The body replaces this range of the file and everything after it.
    case append(Range<Int>, complete: Int?)
    /// The body is the whole file; the reason is nil if there were no bytes to discard.
    case startAgain(CallEvent.RestartReason?)
    /// The response is unusable, so the whole file must be requested.
    case requestWhole(CallEvent.RestartReason)
    /// The file is complete.
    case complete
    /// The call fails with the response's status.
    case fail
    /// The response violates HTTP.
    case reject(String)
}

/// The state of an unfinished file and of the request for its missing bytes.
struct ResumeState: Sendable, Hashable {
    /// The length of the unfinished file in bytes.
    var length = 0

    /// The metadata of the file; nil if its download cannot be resumed.
    var record: PartRecord?

    /// The offset from which the file was requested; nil if the whole file was requested.
    var requestedOffset: Int?

    /// Whether the declaration requests a range, which is then saved as the file.
    var isPartDeclared = false

    /// The offset from which to request the file; nil to request the whole file.
    ///
    /// If the file may be complete, its last byte is requested again, because a 206 confirms the validator, but a 416
    /// may omit it.
    var nextOffset: Int? {
        guard let record, length > 0, !isPartDeclared else { return nil }
        guard let complete = record.length else { return length }
        return length > complete ? nil : min(length, complete - 1)
    }

    /// Returns the decision for a response.
    ///
    /// - Parameters:
    ///   - response: the head of the response.
    ///   - isDecoded: whether the transport has decoded a content coding.
    ///   - isSuccess: whether the status counts as success.
    /// - Returns: the decision.
    func decision(after response: HTTPResponse, isDecoded: Bool = false, isSuccess: Bool) -> ResumeDecision {
        let fields = response.headerFields
        if let requestedOffset, let record {
            if response.status == 206 { return decision(record, from: requestedOffset, response, isDecoded) }
            if response.status == 416 { return isComplete(record, fields) ? .complete : .requestWhole(.rangeRejected) }
        }
        guard isSuccess else { return .fail }
        if response.status == 206, !isPartDeclared {
            return .reject("it is part of the file, but the whole file was requested")
        }
        guard length > 0 else { return .startAgain(nil) }
        guard requestedOffset != nil, let record else { return .startAgain(.notResumable) }
        return .startAgain(record.validator.isStated(by: fields) ? .rangeIgnored : .changed)
    }

    /// Returns the decision for a 206 response (RFC 9110, section 15.3.7).
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
            // The range may overlap the file, but must not leave a gap.
            range.lowerBound <= length,
            // Without new bytes, the next request would be identical.
            range.upperBound > length || range.upperBound == record.length
        else { return .requestWhole(.unusableRange) }
        if let complete, let expected = record.length, complete != expected { return .requestWhole(.changed) }
        return .append(range, complete: complete ?? record.length)
    }

    /// Whether a 416 means that no bytes are missing (RFC 9110, section 15.5.17).
    private func isComplete(_ record: PartRecord, _ fields: HTTPFields) -> Bool {
        guard case .unsatisfied(let complete)? = fields[.contentRange].flatMap(ContentRange.init) else { return false }
        return complete == length && (record.length ?? complete) == complete && record.validator.isStated(by: fields)
    }
}

/// The value of a `Content-Range` field (RFC 9110, section 14.4), in bytes.
enum ContentRange: Sendable, Hashable {
    /// A byte range, with the length of the complete representation if known.
    case part(Range<Int>, complete: Int?)
    /// The length of the complete representation, for a range that could not be satisfied.
    case unsatisfied(complete: Int)

    /// Parses a field value; returns nil if its unit is not bytes or its range is invalid.
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
    /// The SHA-256 digest of the whole representation in Base64, from `Repr-Digest` (RFC 9530, section 3).
    ///
    /// It is nil if the field is missing or malformed.
    var reprDigest: String? {
        guard let value = self[.reprDigest],
            case .bytes(let digest)? = StructuredField.dictionary(value)?["sha-256"]?.value, digest.count == 32
        else { return nil }
        return digest.base64EncodedString()
    }
}

/// A validator that guarantees byte-for-byte equality of representations (RFC 9110, section 8.8.1).
enum StrongValidator: Sendable, Hashable {
    /// A strong entity tag.
    case entityTag(String)
    /// A `Last-Modified` date at least one second before the response's date (section 8.8.2.2).
    case lastModified(String)

    /// Creates the strong validator of a response; returns nil if the response has only weak validators or none.
    ///
    /// - Parameters:
    ///   - fields: the header fields of the response.
    ///   - now: the current date, to interpret two-digit years.
    init?(_ fields: HTTPFields, now: Date) {
        if fields.contains(.eTag) {
            // A date must not replace a weak tag (section 13.1.5).
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

    /// Whether a response has the same validator.
    ///
    /// - Parameters:
    ///   - fields: the header fields of the response.
    ///   - mayOmitDate: whether a date may be missing, as in a 206 response to `If-Range` (section 15.3.7).
    /// - Returns: whether the validators match.
    func isStated(by fields: HTTPFields, mayOmitDate: Bool = false) -> Bool {
        switch self {
        case .entityTag(let text):
            guard let own = HTTPField.EntityTag(text), let other = fields.entityTag else { return false }
            return own.matchesStrongly(other)
        case .lastModified(let text):
            guard let other = fields[.lastModified] else { return mayOmitDate }
            return other == text
        }
    }
}
