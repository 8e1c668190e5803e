/// What a server asks for before it answers: a scheme of authentication and its parameters (RFC 9110, section 11.3).
///
/// ```swift
/// for challenge in failure.challenges where challenge.isScheme("Bearer") {  // a StatusFailure's
///     print(challenge["realm"] ?? "", challenge["scope"] ?? "")
/// }
/// ```
///
/// Whoever answers may ask for anything: a realm is a URL to send a secret to only where it is one that you trust.
public struct Challenge: Sendable, Hashable {
    /// The scheme as the server spells it: `Bearer`, `Basic`, `Digest`.
    public let scheme: String

    /// The parameters, by their names in lower case.
    ///
    /// Of a name that comes twice, which RFC 9110 does not allow, the first one counts.
    public let parameters: [String: String]

    /// What a scheme has in place of parameters, such as `Negotiate`.
    public let token68: String?

    /// The secrets of the call, which a server may have repeated in a parameter.
    private var secrets: (any CallSecrets)?

    /// Creates a challenge.
    public init(scheme: String, parameters: [String: String] = [:], token68: String? = nil) {
        self.scheme = scheme
        self.parameters = Dictionary(parameters.map { ($0.key.asciiLowercased, $0.value) }) { first, _ in first }
        self.token68 = token68
    }

    /// Compares schemes as they are spelled, parameters and tokens.
    public static func == (left: Challenge, right: Challenge) -> Bool {
        left.scheme == right.scheme && left.parameters == right.parameters && left.token68 == right.token68
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(scheme)
        hasher.combine(parameters)
        hasher.combine(token68)
    }

    /// The value of a parameter; its name is compared without regard to case.
    public subscript(name: String) -> String? { parameters[name.asciiLowercased] }

    /// Whether it is of a scheme; schemes are compared without regard to case.
    public func isScheme(_ name: String) -> Bool { scheme.asciiLowercased.hasSameBytes(as: name.asciiLowercased) }
}

extension Challenge {
    /// Reads the challenges in the `WWW-Authenticate` fields of a response, in their order.
    ///
    /// What is malformed is left out: a value without its end, a parameter without a scheme.
    public static func all(in fields: HTTPFields) -> [Challenge] {
        fields[values: .wwwAuthenticate].flatMap { value in
            var parser = ChallengeParser(value)
            return parser.challenges().map { challenge in
                var challenge = challenge
                challenge.secrets = fields.secrets
                return challenge
            }
        }
    }
}

extension Challenge: CustomStringConvertible, CustomReflectable {
    /// The scheme and the parameters, in the order of their names; a token is redacted.
    public var description: String {
        let shown = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }
        let content = token68 == nil ? shown.joined(separator: ", ") : Redaction.mark
        let text = content.isEmpty ? scheme : "\(scheme) \(content)"
        return secrets?.removed(from: text) ?? text
    }

    /// The description.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": description], displayStyle: .struct) }
}
