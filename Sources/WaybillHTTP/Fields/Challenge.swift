extension HTTPField {
    /// A server's request for credentials: an authentication scheme and its parameters (RFC 9110, section 11.3).
    ///
    /// ```swift
    /// for challenge in failure.challenges where challenge.isScheme("Bearer") {  // an APIError.StatusFailure
    ///     print(challenge["realm"] ?? "", challenge["scope"] ?? "")
    /// }
    /// ```
    ///
    /// The server controls a challenge: send a secret to a URL from a `realm` only if you trust that URL.
    public struct Challenge: Sendable, Hashable {
        /// The scheme as spelled by the server, such as `Bearer`, `Basic` or `Digest`.
        public let scheme: String

        /// The parameters, keyed by lowercased name.
        ///
        /// RFC 9110 forbids repeated names; if a server repeats one, the first parameter wins.
        public let parameters: [String: String]

        /// The `token68` value, used by schemes such as `Negotiate` instead of parameters.
        public let token68: String?

        /// Whether the description redacts the parameters, because they come from a sensitive field.
        private var isSensitive = false

        /// Creates a challenge.
        ///
        /// - Parameters:
        ///   - scheme: the scheme, such as `Bearer`.
        ///   - parameters: the parameters; their names are lowercased.
        ///   - token68: the `token68` value, used instead of parameters.
        public init(scheme: String, parameters: [String: String] = [:], token68: String? = nil) {
            self.scheme = scheme
            self.parameters = Dictionary(parameters.map { ($0.key.asciiLowercased, $0.value) }) { first, _ in first }
            self.token68 = token68
        }

        /// Compares the schemes (case-sensitively), the parameters and the `token68` values.
        ///
        /// - Parameters:
        ///   - left: a challenge.
        ///   - right: the challenge to compare it with.
        /// - Returns: whether they are equal.
        public static func == (left: HTTPField.Challenge, right: HTTPField.Challenge) -> Bool {
            left.scheme == right.scheme && left.parameters == right.parameters && left.token68 == right.token68
        }

        /// Hashes the values that `==` compares.
        ///
        /// - Parameter hasher: the hasher that receives the parts.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(scheme)
            hasher.combine(parameters)
            hasher.combine(token68)
        }

        /// The value of the parameter with the given name.
        ///
        /// - Parameter name: the name, such as `realm`, matched case-insensitively.
        /// - Returns: the value without quotation marks; nil if the challenge does not have the parameter.
        public subscript(name: String) -> String? { parameters[name.asciiLowercased] }

        /// Returns whether the challenge uses the given scheme.
        ///
        /// - Parameter name: the scheme, such as `Bearer`, matched case-insensitively.
        /// - Returns: true if the schemes match.
        public func isScheme(_ name: String) -> Bool { scheme.asciiLowercased.hasSameBytes(as: name.asciiLowercased) }
    }
}

extension HTTPField.Challenge {
    /// Parses the challenges in a response's `WWW-Authenticate` fields, in order.
    ///
    /// Malformed parts are skipped, such as an unterminated quoted string or a parameter without a scheme.
    ///
    /// - Parameter fields: the header fields of the response.
    /// - Returns: the challenges; empty if the fields contain no valid one.
    public static func all(in fields: HTTPFields) -> [HTTPField.Challenge] {
        fields.filter { $0.name == .wwwAuthenticate }.flatMap { field in
            var parser = ChallengeParser(field.value)
            return parser.challenges().map { challenge in
                var challenge = challenge
                challenge.isSensitive = field.isSensitive
                return challenge
            }
        }
    }
}

extension HTTPField.Challenge: CustomStringConvertible, PartlyShown {
    /// The scheme and the parameters, sorted by name; tokens and sensitive parameters are redacted.
    public var description: String {
        let shown = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
        let content = token68 == nil && !isSensitive ? shown.joined(separator: ", ") : Redaction.mark
        return content.isEmpty ? scheme : "\(scheme) \(content)"
    }

    /// The description alone.
    package var shownParts: KeyValuePairs<String, Any> { ["challenge": description] }
}
