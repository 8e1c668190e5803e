#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Names with secret values, of header fields, query items and keys of bodies; and secret values in paths.
///
/// Names are compared without regard to case, `_` and `-`: `access_token`, `accessToken` and `Access-Token` are the
/// same secret.
package struct SecretNameSet: Sendable, Hashable {
    private var folded: Set<String>

    /// Values that are secret anywhere in a path.
    package private(set) var pathValues: Set<String> = []

    package init(_ names: some Sequence<String> = []) { folded = Set(names.map(Self.folded)) }

    /// Whether a name is in the set; if it has brackets, as in `user[password]`, one of its parts is enough.
    package func contains(_ name: String) -> Bool {
        if folded.contains(Self.folded(name)) { return true }
        guard name.utf8.contains(UInt8(ascii: "[")) else { return false }
        return name.split { $0 == "[" || $0 == "]" }.contains { folded.contains(Self.folded(String($0))) }
    }

    package mutating func insert(_ name: String) { folded.insert(Self.folded(name)) }

    package mutating func formUnion(_ other: SecretNameSet) {
        folded.formUnion(other.folded)
        pathValues.formUnion(other.pathValues)
    }

    package mutating func hide(_ values: Set<String>) { pathValues.formUnion(values) }

    /// Returns the set with more values: each as it is, and in the encodings that messages and URLs use.
    package func hiding(_ values: [String]) -> SecretNameSet {
        guard !values.isEmpty else { return self }
        var names = self
        for value in values {
            let base64 = Data(value.utf8).base64EncodedString()
            // Without its padding, which is optional.
            let digits = String(base64.prefix { $0 != "=" })
            let forURLs = String(digits.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
            names.pathValues.formUnion([value, PercentEncoding.encode(value), digits, forURLs])
        }
        return names
    }

    /// Returns the name in lower case, without `_` and `-`: equal for all spellings of a name.
    private static func folded(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) }
        return isPlain ? name : name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// The values that are long enough to be removed from any text without spoiling it.
    package var longValues: [String] { pathValues.filter { $0.count >= 4 } }

    /// The names in the form in which they are compared, sorted.
    package var names: [String] { folded.sorted() }

    /// The names that are secret by default.
    package static let usual = SecretNameSet([
        "authorization", "proxy-authorization", "cookie", "set-cookie", "auth", "x-auth-token", "x-access-token",
        "private-token", "x-csrf-token", "x-amz-security-token", "x-api-key", "api_key", "apikey", "access_token",
        "refresh_token", "id_token", "token", "assertion", "password", "passwd", "passphrase", "secret",
        "client_secret", "signature", "sig",
    ])
}
