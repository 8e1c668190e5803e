import WaybillSystem

/// The names of header fields, query items and body keys with secret values, and known secret values.
///
/// Names match regardless of case, `_` and `-`: `access_token`, `accessToken` and `Access-Token` are the same name.
package struct SecretNameSet: Sendable, Hashable {
    private struct Content: Sendable, Hashable {
        var folded: Set<FoldedName> = []
        var filter = ChecksumFilter()

        // Whether values with `tokenNames` are secret if they look like tokens.
        var hidesTokens = false
        // Whether a `code` value is secret if it is long enough to be an authorization code.
        var hidesCodes = false
        var values: Set<String> = []
        var pathValues: Set<String> = []
        var bodyPaths: Set<[BodyStep]> = []

        static let empty = CopyOnWrite(Content())
    }

    // Every request has a set, and copying all of its properties each time would be expensive.
    private var content = Content.empty

    /// The secret values, unencoded.
    package var values: Set<String> { content.value.values }

    /// The secret values in all forms in which a text may contain them.
    package var pathValues: Set<String> { content.value.pathValues }

    /// The paths of secret values in JSON request bodies.
    package var bodyPaths: Set<[BodyStep]> { content.value.bodyPaths }

    package static func == (left: Self, right: Self) -> Bool { left.content.value == right.content.value }

    package func hash(into hasher: inout Hasher) { hasher.combine(content.value) }

    package init(_ names: some Sequence<String> = []) { for name in names { insert(name) } }

    /// Whether the set contains a name or, for a name with brackets such as `user[password]`, any part of it.
    package func contains(_ name: String) -> Bool {
        if contains(FoldedName(name)) { return true }
        guard name.withBytes({ $0.contains(UInt8(ascii: "[")) }) else { return false }
        return name.split { $0 == "[" || $0 == "]" }.contains { contains(FoldedName(String($0))) }
    }

    private func contains(_ name: FoldedName) -> Bool {
        content.value.filter.mayContain(name.checksum) && content.value.folded.contains(name)
    }

    /// Whether a value is secret, given its name.
    ///
    /// It is secret if the set contains the name, if the name is one of ``tokenNames`` and the value looks like a
    /// token, or if the set hides authorization codes and the value may be one.
    package func contains(_ name: String, of value: some StringProtocol) -> Bool {
        contains(name) || hasTokens(name) && Self.isToken(value) || content.value.hidesCodes && Self.isCode(name, value)
    }

    /// Returns a set that also hides authorization codes.
    ///
    /// Used for redirect targets (RFC 6749, section 4.1.2) and token requests (section 4.1.3).
    package func hidingCodes() -> SecretNameSet {
        var names = self
        names.content.value.hidesCodes = true
        return names
    }

    /// The minimum length of an authorization code; shorter values are usually other codes, such as country codes.
    package static let minimumCodeLength = 8

    /// Whether a parameter may be an authorization code in a redirect or a token request.
    package static func isCode(_ name: String, _ value: some StringProtocol) -> Bool {
        name.hasSameBytes(as: "code") && value.prefix { !";?#".contains($0) }.count >= minimumCodeLength
    }

    /// Whether a parameter indicates a token request, in which `code` is an authorization code.
    ///
    /// Several names are checked, because some servers do not require `grant_type`, although RFC 6749 does.
    package static func isTokenRequestParameter(_ name: String) -> Bool { tokenRequestNames.contains(FoldedName(name)) }

    private static let tokenRequestNames: Set = [
        FoldedName("grant_type"), FoldedName("client_secret"), FoldedName("code_verifier"),
    ]

    /// Whether values with this name are secret if they look like tokens.
    package func hasTokens(_ name: String) -> Bool {
        content.value.hidesTokens && Self.tokenNames.contains(FoldedName(name))
    }

    /// Whether the set can hide the value of any name.
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
        content.value.bodyPaths.formUnion(other.bodyPaths)
    }

    package mutating func insert(bodyPath: [BodyStep]) { content.value.bodyPaths.insert(bodyPath) }

    package mutating func hide(_ values: Set<String>) {
        content.value.values.formUnion(values)
        content.value.pathValues.formUnion(values)
    }

    /// Returns the set with additional values in all forms of ``SecretForms``.
    package func hiding(_ values: some Collection<String>) -> SecretNameSet {
        guard !values.isEmpty else { return self }
        var names = self
        for value in values {
            names.content.value.values.insert(value)
            names.content.value.pathValues.formUnion(SecretForms.all(of: value))
        }
        return names
    }

    /// Returns a text with the secret values redacted.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - isExcerpt: whether `…` marks omitted text; if so, fragments of values next to it are removed too.
    /// - Returns: the redacted text.
    package func removed(from text: String, isExcerpt: Bool = false) -> String {
        Redaction.removing(longValues, from: text, isExcerpt: isExcerpt)
    }

    /// The values that are long enough to be removed from any text without garbling it.
    package var longValues: [String] { pathValues.filter { $0.count >= 4 } }

    /// The names in folded form, sorted, including ``tokenNames`` if the set hides tokens.
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
            // Tokens against cross-site request forgery.
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

    /// Names of tokens in login responses, which elsewhere are names of words, numbers or dates.
    private static let tokenNames: Set = [FoldedName("access"), FoldedName("refresh")]

    /// Whether a text looks like a token.
    ///
    /// A token has at least 16 `token68` characters (RFC 7235), including a letter and a digit, and does not start with
    /// a slash.
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

extension SecretNameSet {
    /// One step of a path into a JSON request body.
    package enum BodyStep: Sendable, Hashable {
        /// The key of a member.
        case key(String)
        /// The index of an element; a negative one counts from the end.
        case index(Int)
    }
}

/// A name, compared regardless of case, `_` and `-`.
///
/// Every field of every request is looked up, so ASCII names are compared without creating a folded copy.
private struct FoldedName: Sendable, Hashable {
    // The original spelling if it is ASCII, otherwise the folded name.
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
                Self.isSignificant(byte) ? (sum ^ UInt32(byte.asciiLowercased)) &* 0x0100_0193 : sum
            }
        }
    }

    /// The name in lowercase, without `_` and `-`.
    var folded: String { String(decoding: Array(foldedBytes), as: UTF8.self) }

    static func == (left: Self, right: Self) -> Bool {
        left.checksum == right.checksum && left.foldedBytes.elementsEqual(right.foldedBytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(checksum) }

    private var foldedBytes: some Sequence<UInt8> { text.utf8.lazy.filter(Self.isSignificant).map(\.asciiLowercased) }

    private static func isSignificant(_ byte: UInt8) -> Bool { byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") }
}

/// A Bloom filter with one hash function, which rejects most absent checksums in a few instructions.
private struct ChecksumFilter: Sendable, Hashable {
    private var bits = SIMD8<UInt64>()

    mutating func insert(_ checksum: UInt32) { bits[Int(checksum >> 6 & 7)] |= 1 << UInt64(checksum & 63) }

    func mayContain(_ checksum: UInt32) -> Bool { bits[Int(checksum >> 6 & 7)] >> UInt64(checksum & 63) & 1 == 1 }

    mutating func formUnion(_ other: Self) { bits |= other.bits }
}

/// The forms in which a server may repeat a secret value.
enum SecretForms {
    /// Returns the forms of a value.
    ///
    /// These are the value itself, percent-encoded, lowercased, uppercased, in hexadecimal digits of either case, and
    /// in Base64, both alone and as part of a longer text.
    static func all(of value: String) -> Set<String> {
        let bytes = Array(value.utf8)
        let hex = hexadecimal(bytes)
        var forms: Set = [
            value, PercentEncoding.encode(value), value.lowercased(), value.uppercased(), hex, hex.uppercased(),
        ]
        // The padding is optional.
        forms.formUnion(spellings(base64(bytes).prefix { $0 != "=" }))
        for offset in 0..<3 { forms.formUnion(spellings(interior(bytes, after: offset))) }
        forms.remove("")
        return forms
    }

    /// The minimum number of Base64 digits that identify a value within a longer text.
    private static let minimumInteriorLength = 8

    /// Returns the Base64 digits of a value within a longer text, without those that also depend on adjacent bytes;
    /// empty if there are too few.
    ///
    /// - Parameters:
    ///   - bytes: the value.
    ///   - offset: the number of bytes before the value, modulo 3.
    /// - Returns: the digits.
    private static func interior(_ bytes: [UInt8], after offset: Int) -> Substring {
        // A Base64 digit encodes six bits.
        let start = (offset * 8 + 5) / 6
        let end = (offset + bytes.count) * 8 / 6
        guard end - start >= minimumInteriorLength else { return "" }
        return base64(Array(repeating: 0, count: offset) + bytes).prefix(end).dropFirst(start)
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Returns Base64 digits in the standard and the URL-safe alphabets (RFC 4648, section 5).
    private static func spellings(_ digits: Substring) -> [String] {
        [String(digits), String(digits.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })]
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// A URL loading error, such as `URLError`, whose texts may contain secrets.
///
/// `WaybillURLSession` declares the conformance of `URLError`, which programs without that module do not link.
package protocol URLLoadingError: Error {
    /// Returns the error with the secrets of a call removed.
    func redacted(by secrets: SecretNameSet) -> any Error
}
