extension RecordedTransport {
    /// A part of requests in which a request may differ from the recorded one.
    ///
    /// ```swift
    /// let recorded = try RecordedTransport(file, varying: [.pathValues, .bodyMember("id")])
    /// ```
    public struct Variation: Sendable, Hashable {
        enum Part: Sendable, Hashable {
            case origin, pathValues, queryItem(String), bodyMember(String), body
        }

        let part: Part

        /// The scheme, the host and the port: for a server whose port changes.
        public static let origin = RecordedTransport.Variation(part: .origin)

        /// The values of the template, such as ids; a path without a template is not compared either.
        public static let pathValues = RecordedTransport.Variation(part: .pathValues)

        /// The query items with a name.
        public static func queryItem(_ name: String) -> Self { Self(part: .queryItem(name)) }

        /// The members of a JSON body with a key, at any depth, or the items of a form with a name.
        public static func bodyMember(_ key: String) -> Self { Self(part: .bodyMember(key)) }

        /// The whole body.
        public static let body = RecordedTransport.Variation(part: .body)
    }
}
