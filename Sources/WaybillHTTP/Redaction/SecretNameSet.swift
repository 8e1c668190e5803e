import WaybillSystem

/// Names with secret values, of header fields, query items and keys of bodies; and secret values in paths.
///
/// Names are compared without regard to case, `_` and `-`: `access_token`, `accessToken` and `Access-Token` are the
/// same secret.
package struct SecretNameSet: Sendable, Hashable {
    private struct Content: Sendable, Hashable {
        var folded: Set<FoldedName> = []
        var filter = ChecksumFilter()

        // Whether the values of `tokenNames` are secret if they have the form of a token.
        var hidesTokens = false
        // Whether `code` is secret if its value is long enough for an authorization code.
        var hidesCodes = false
        var values: Set<String> = []
        var pathValues: Set<String> = []

        static let empty = CopyOnWrite(Content())
    }

    // Each request has one: its fields would be copied with it.
    private var content = Content.empty

    /// Values that are secret, as they are.
    package var values: Set<String> { content.value.values }

    /// The secret values in each of the forms in which texts have them.
    package var pathValues: Set<String> { content.value.pathValues }

    package static func == (left: Self, right: Self) -> Bool { left.content.value == right.content.value }

    package func hash(into hasher: inout Hasher) { hasher.combine(content.value) }

    package init(_ names: some Sequence<String> = []) { for name in names { insert(name) } }

    /// Whether a name is in the set; if it has brackets, as in `user[password]`, one of its parts is enough.
    package func contains(_ name: String) -> Bool {
        if contains(FoldedName(name)) { return true }
        guard name.withBytes({ $0.contains(UInt8(ascii: "[")) }) else { return false }
        return name.split { $0 == "[" || $0 == "]" }.contains { contains(FoldedName(String($0))) }
    }

    private func contains(_ name: FoldedName) -> Bool {
        content.value.filter.mayContain(name.checksum) && content.value.folded.contains(name)
    }

    /// Whether the value of a name is secret: the name is in the set, or it is one of ``tokenNames`` and the value has
    /// the form of a token, or the value is an authorization code and the set hides those.
    package func contains(_ name: String, of value: some StringProtocol) -> Bool {
        contains(name) || hasTokens(name) && Self.isToken(value) || content.value.hidesCodes && Self.isCode(name, value)
    }

    /// Returns the set that also hides an authorization code: for the target of a redirect (RFC 6749, section 4.1.2),
    /// and for a token request (section 4.1.3).
    package func hidingCodes() -> SecretNameSet {
        var names = self
        names.content.value.hidesCodes = true
        return names
    }

    /// The fewest characters of an authorization code; a shorter value is of a country or the like.
    package static let shortestCode = 8

    /// Whether a name and its value are those of an authorization code, in a redirect or a token request.
    package static func isCode(_ name: String, _ value: some StringProtocol) -> Bool {
        name.hasSameBytes(as: "code") && value.prefix { !";?#".contains($0) }.count >= shortestCode
    }

    /// Whether a parameter belongs to token requests alone: a `code` beside it is an authorization code.
    ///
    /// Some servers do not ask for the grant type that RFC 6749 requires.
    package static func isOfTokenRequest(_ name: String) -> Bool { tokenRequestNames.contains(FoldedName(name)) }

    private static let tokenRequestNames: Set = [
        FoldedName("grant_type"), FoldedName("client_secret"), FoldedName("code_verifier"),
    ]

    /// Whether a name is one of ``tokenNames``, whose values are secret if they have the form of a token.
    package func hasTokens(_ name: String) -> Bool {
        content.value.hidesTokens && Self.tokenNames.contains(FoldedName(name))
    }

    /// Whether there is a name in the set.
    package var hasNames: Bool {
        content.value.hidesTokens || content.value.hidesCodes || !content.value.folded.isEmpty
    }

    package mutating func insert(_ name: String) {
        let name = FoldedName(name)
        content.value.folded.insert(name)
        content.value.filter.insert(name.checksum)
    }

    package mutating func formUnion(_ other: SecretNameSet) {
        let other = other.content.value
        content.value.folded.formUnion(other.folded)
        content.value.filter.formUnion(other.filter)
        content.value.hidesTokens = content.value.hidesTokens || other.hidesTokens
        content.value.hidesCodes = content.value.hidesCodes || other.hidesCodes
        content.value.values.formUnion(other.values)
        content.value.pathValues.formUnion(other.pathValues)
    }

    package mutating func hide(_ values: Set<String>) {
        content.value.values.formUnion(values)
        content.value.pathValues.formUnion(values)
    }

    /// Returns the set with more values: each as it is, and in the forms of ``SecretForms``.
    package func hiding(_ values: some Collection<String>) -> SecretNameSet {
        guard !values.isEmpty else { return self }
        var names = self
        for value in values {
            names.content.value.values.insert(value)
            names.content.value.pathValues.formUnion(SecretForms.all(of: value))
        }
        return names
    }

    /// Returns a text without the secret values.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - isExcerpt: whether `…` stands for omitted text; a piece of a value next to it is then removed too.
    /// - Returns: the text without the values.
    package func removed(from text: String, isExcerpt: Bool = false) -> String {
        Redaction.removing(longValues, from: text, isExcerpt: isExcerpt)
    }

    /// The values that are long enough to be removed from any text without spoiling it.
    package var longValues: [String] { pathValues.filter { $0.count >= 4 } }

    /// The names in the form in which they are compared, sorted; ``tokenNames`` are among them.
    package var names: [String] {
        let folded = content.value.folded
        return (content.value.hidesTokens ? folded.union(Self.tokenNames) : folded).map { $0.folded }.sorted()
    }

    /// The names that are secret by default.
    package static let usual: SecretNameSet = {
        var names = SecretNameSet([
            "authorization", "proxy-authorization", "cookie", "set-cookie", "auth", "bearer", "jwt", "assertion",
            "client_assertion", "saml_response", "signature", "sig", "x-amz-signature", "x-goog-signature",
            // Tokens.
            "token", "access_token", "refresh_token", "id_token", "auth_token", "x-auth-token", "x-subject-token",
            "x-access-token", "api_token", "bearer_token", "session_token", "security_token", "private-token",
            "x-amz-security-token", "login_token", "lgtoken", "oauth_token", "access_jwt", "refresh_jwt",
            "device_code", "code_verifier",
            // Tokens against forged requests.
            "csrf", "csrf_token", "csrf_middleware_token", "x-csrf", "x-csrf-token", "xsrf", "xsrf_token",
            "x-xsrf-token", "authenticity_token", "request_verification_token",
            // Keys.
            "x-api-key", "api_key", "apikey", "secret_key", "secret_access_key", "private_key",
            // Passwords and secrets.
            "password", "passwd", "passphrase", "new_password", "old_password", "current_password", "user_password",
            "password_confirmation", "confirm_password", "lgpassword", "secret", "client_secret", "api_secret",
            "app_secret", "consumer_secret", "token_secret", "oauth_token_secret",
        ])
        names.content.value.hidesTokens = true
        return names
    }()

    /// Names by which a login returns tokens, and under which others have a word, a number or a date.
    private static let tokenNames: Set = [FoldedName("access"), FoldedName("refresh")]

    /// Whether a text has the form of a token: at least 16 characters of those that tokens have (RFC 7235, `token68`),
    /// among them a letter and a digit, and no path.
    package static func isToken(_ text: some StringProtocol) -> Bool {
        var (letters, digits) = (false, false)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): letters = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits = true
            case _ where "-._~+/=".utf8.contains(byte): break
            default: return false
            }
        }
        return letters && digits && text.utf8.count >= 16 && text.utf8.first != UInt8(ascii: "/")
    }
}

/// A name that equals all of its spellings: in other cases, with other `_` and `-`.
///
/// Each field of each request is looked up: a name of ASCII is compared as it is spelled, without a folded copy.
private struct FoldedName: Sendable, Hashable {
    // In ASCII as it was spelled, any other name folded.
    private let text: String

    /// The hash of the folded name (FNV-1a).
    let checksum: UInt32

    init(_ name: String) {
        guard name.withBytes({ $0.allSatisfy { $0 < 0x80 } }) else {
            self.init(spelling: name.lowercased().filter { $0 != "_" && $0 != "-" })
            return
        }
        self.init(spelling: name)
    }

    private init(spelling text: String) {
        self.text = text
        checksum = text.withBytes { bytes in
            bytes.reduce(0x811C_9DC5) { sum, byte in
                Self.counts(byte) ? (sum ^ UInt32(byte.asciiLowercased)) &* 0x0100_0193 : sum
            }
        }
    }

    /// The name in lower case, without `_` and `-`.
    var folded: String { String(decoding: Array(foldedBytes), as: UTF8.self) }

    static func == (left: Self, right: Self) -> Bool {
        left.checksum == right.checksum && left.foldedBytes.elementsEqual(right.foldedBytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(checksum) }

    private var foldedBytes: some Sequence<UInt8> { text.utf8.lazy.filter(Self.counts).map(\.asciiLowercased) }

    private static func counts(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") }
}

/// A set of checksums that has some too many, and tells of most others in a few instructions that they are missing.
private struct ChecksumFilter: Sendable, Hashable {
    private var bits = SIMD8<UInt64>()

    mutating func insert(_ checksum: UInt32) { bits[Int(checksum >> 6 & 7)] |= 1 << UInt64(checksum & 63) }

    func mayContain(_ checksum: UInt32) -> Bool { bits[Int(checksum >> 6 & 7)] >> UInt64(checksum & 63) & 1 == 1 }

    mutating func formUnion(_ other: Self) { bits |= other.bits }
}

/// The forms in which a server may repeat a secret value.
enum SecretForms {
    /// Returns the value as it is, percent-encoded, in upper and lower case, in hexadecimal digits of either case, and
    /// in Base64, of the value itself and of a longer text with the value in it.
    static func all(of value: String) -> Set<String> {
        let bytes = Array(value.utf8)
        let hex = hexadecimal(bytes)
        var forms: Set = [
            value, PercentEncoding.encode(value), value.lowercased(), value.uppercased(), hex, hex.uppercased(),
        ]
        // Without its padding, which is optional.
        forms.formUnion(spellings(base64(bytes).prefix { $0 != "=" }))
        for offset in 0..<3 { forms.formUnion(spellings(interior(bytes, behind: offset))) }
        forms.remove("")
        return forms
    }

    /// The fewest digits by which a value is recognized in the Base64 of a longer text.
    private static let shortestInterior = 8

    /// Returns the digits that a value has in the Base64 of a longer text, without those that it shares with its
    /// neighbors; empty for too few.
    ///
    /// - Parameters:
    ///   - bytes: the value.
    ///   - offset: the number of bytes before it, modulo 3.
    /// - Returns: the digits.
    private static func interior(_ bytes: [UInt8], behind offset: Int) -> Substring {
        // A digit has six bits.
        let start = (offset * 8 + 5) / 6
        let end = (offset + bytes.count) * 8 / 6
        guard end - start >= shortestInterior else { return "" }
        return base64(Array(repeating: 0, count: offset) + bytes).prefix(end).dropFirst(start)
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Returns digits of Base64 in its usual alphabet and in that for URLs (RFC 4648, section 5).
    private static func spellings(_ digits: Substring) -> [String] {
        [String(digits), String(digits.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })]
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// An error of the system's URL loading, such as `URLError`, whose texts contain URLs.
///
/// The module of `URLSession` makes `URLError` conform, because a program without that module does not have the type.
package protocol URLLoadingError: Error {
    /// Returns the error without the secrets of a call.
    func redacted(by secrets: SecretNameSet) -> any Error
}
