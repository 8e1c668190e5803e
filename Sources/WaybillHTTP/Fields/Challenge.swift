/// A server's demand for credentials: an authentication scheme and its parameters (RFC 9110, section 11.3).
///
/// ```swift
/// for challenge in failure.challenges where challenge.isScheme("Bearer") {  // a APIError.StatusFailure's
///     print(challenge["realm"] ?? "", challenge["scope"] ?? "")
/// }
/// ```
///
/// A server may send any challenge. Send a secret to a URL in a `realm` only if you trust that URL.
public struct Challenge: Sendable, Hashable {
    /// The scheme as the server spells it: `Bearer`, `Basic`, `Digest`.
    public let scheme: String

    /// The parameters by their names in lower case.
    ///
    /// RFC 9110 does not allow a name twice; the first one counts.
    public let parameters: [String: String]

    /// The text that a scheme such as `Negotiate` has in place of parameters.
    public let token68: String?

    /// Whether texts redact the parameters, because the server has repeated a secret of the call in them.
    private var isSensitive = false

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - scheme: the scheme, such as `Bearer`.
    ///   - parameters: the parameters; their names are changed to lower case.
    ///   - token68: the text in place of parameters.
    public init(scheme: String, parameters: [String: String] = [:], token68: String? = nil) {
        self.scheme = scheme
        self.parameters = Dictionary(parameters.map { ($0.key.asciiLowercased, $0.value) }) { first, _ in first }
        self.token68 = token68
    }

    /// Compares the schemes in their spelling, the parameters and the tokens.
    public static func == (left: Challenge, right: Challenge) -> Bool {
        left.scheme == right.scheme && left.parameters == right.parameters && left.token68 == right.token68
    }

    /// Hashes the compared parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(parameters)
        hasher.combine(token68)
    }

    /// The value of a parameter; its name is compared without regard to case.
    ///
    /// - Parameter name: the name, such as `realm`.
    /// - Returns: the value without quotation marks; nil if the challenge does not have the parameter.
    public subscript(name: String) -> String? { parameters[name.asciiLowercased] }

    /// Returns whether the challenge has a scheme.
    ///
    /// - Parameter name: the scheme, such as `Bearer`, compared without regard to case.
    /// - Returns: whether it has this one.
    public func isScheme(_ name: String) -> Bool { scheme.asciiLowercased.hasSameBytes(as: name.asciiLowercased) }
}

extension Challenge {
    /// Reads the challenges in the `WWW-Authenticate` fields of a response, in their order.
    ///
    /// Malformed parts are left out: a quoted string without an end, a parameter without a scheme.
    ///
    /// - Parameter fields: the header fields of the response.
    /// - Returns: the challenges; empty if the fields have no challenge.
    public static func all(in fields: HTTPFields) -> [Challenge] {
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

extension Challenge: CustomStringConvertible, CustomReflectable {
    /// The scheme and the parameters, in the order of their names; a token is redacted.
    public var description: String {
        let shown = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
        let content = token68 == nil && !isSensitive ? shown.joined(separator: ", ") : Redaction.mark
        return content.isEmpty ? scheme : "\(scheme) \(content)"
    }

    /// A mirror with the description alone.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": description], displayStyle: .struct) }
}
