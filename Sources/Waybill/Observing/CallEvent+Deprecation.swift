import WaybillSystem

extension CallEvent {
    /// A server's announcement that it will no longer support a call, from the `Deprecation` field (RFC 9745) and the
    /// `Sunset` field (RFC 8594) of a response.
    ///
    /// ```swift
    /// Observe { event in
    ///     if let deprecation = event.deprecation { print("\(event.template) is \(deprecation)") }
    /// }
    /// ```
    ///
    /// The call itself is unaffected. ``RequestLog`` logs the first announcement for each method and template. A link
    /// with a secret in its query is not shown.
    public struct Deprecation: Sendable, Hashable {
        /// The time from which the call is deprecated, possibly in the future; nil if the response contains no valid
        /// date.
        public let date: Date?

        /// The time from which the call is expected to fail; nil if the response contains no valid date.
        public let sunset: Date?

        /// The link with the relation `deprecation`: the absolute URL of a page about the deprecation; nil if there is
        /// none.
        public let link: String?

        /// The link with the relation `sunset`: the absolute URL of a page about the end of support; nil if there is
        /// none.
        public let sunsetLink: String?

        /// The fields whose values are not dates, such as `Deprecation: true`, which earlier drafts allowed.
        public let unreadableFields: [String]

        /// Creates an announcement, for testing observers.
        ///
        /// - Parameters:
        ///   - date: the time from which the call is deprecated.
        ///   - sunset: the time from which the call is expected to fail.
        ///   - link: the URL of a page about the deprecation.
        ///   - sunsetLink: the URL of a page about the end of support.
        ///   - unreadableFields: the names and values of the fields whose values are not dates.
        public init(
            date: Date? = nil,
            sunset: Date? = nil,
            link: String? = nil,
            sunsetLink: String? = nil,
            unreadableFields: [String] = []
        ) {
            self.date = date
            self.sunset = sunset
            self.link = link
            self.sunsetLink = sunsetLink
            self.unreadableFields = unreadableFields
        }
    }

    /// The deprecation announced in a response; nil for events other than `head`, or if the response has neither field.
    public var deprecation: Deprecation? {
        guard case .head = kind else { return nil }
        return Deprecation(headerFields, of: url)
    }
}

extension CallEvent.Deprecation: CustomStringConvertible {
    /// The announcement on one line, such as `deprecated from 2023-06-30T23:59:59Z`.
    public var description: String {
        var parts = [date.map { "deprecated from \($0.asWritten)" } ?? "deprecated"]
        if date == nil, sunset != nil, unreadableFields.isEmpty { parts = [] }
        if let sunset { parts.append("unavailable from \(sunset.asWritten)") }
        let links = [link, sunsetLink].compactMap { $0 }
        if !links.isEmpty { parts.append("see \(links.joined(separator: " and "))") }
        parts += unreadableFields.map { "with a field that is not a date: \($0)" }
        return parts.joined(separator: ", ")
    }
}

extension CallEvent.Deprecation {
    /// The reference time for two-digit years, which occur only in obsolete date formats.
    private static let reference = Date(timeIntervalSince1970: 1_700_000_000)

    /// Creates an announcement from the fields of a response; nil if it has neither field.
    ///
    /// - Parameters:
    ///   - fields: the header fields, with secrets redacted.
    ///   - url: the URL of the response, against which links are resolved.
    fileprivate init?(_ fields: HTTPFields, of url: String) {
        let deprecations = fields.filter { $0.name == HTTPField.Name("Deprecation") }
        let sunsets = fields.filter { $0.name == HTTPField.Name("Sunset") }
        guard !deprecations.isEmpty || !sunsets.isEmpty else { return nil }
        let dates = deprecations.map { Self.deprecation(from: $0.value) }
        let ends = sunsets.map { HTTPDate.date(from: $0.value, now: Self.reference) }
        let all = Array(zip(deprecations + sunsets, dates + ends))
        let links = fields[values: .link].flatMap { WebLink.links(in: $0) ?? [] }
        self.init(
            date: dates.lazy.compactMap { $0 }.first,
            sunset: ends.lazy.compactMap { $0 }.first,
            link: Self.target(of: "deprecation", in: links, url),
            sunsetLink: Self.target(of: "sunset", in: links, url),
            unreadableFields: all.filter { $0.1 == nil }.map { "\($0.0.name): \($0.0.value)" }
        )
    }

    /// Returns the date of a `Deprecation` field, such as `@1688169599`; nil if the value is not a date.
    private static func deprecation(from text: String) -> Date? {
        guard case .date(let seconds)? = StructuredField.item(text)?.value else { return nil }
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    private static func target(of relation: String, in links: [WebLink], _ url: String) -> String? {
        let base = URL(string: url)
        let link = links.first { link in link.has(relation: relation) && base.map { link.isAbout($0) } ?? true }
        guard let link, let base else { return link?.target }
        return URL.resolved(link.target, against: base, keepsFragment: true)?.absoluteString ?? link.target
    }
}
