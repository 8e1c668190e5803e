import WaybillSystem

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
