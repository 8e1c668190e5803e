import Foundation
import WaybillJSON

/// Names whose values are secret: of header fields, query items and keys of bodies; and what is secret in a path.
///
/// Names are compared without regard to case, `_` and `-`, because one and the same secret is `access_token`,
/// `accessToken` and `Access-Token`.
package struct SecretNameSet: Sendable, Hashable {
    private var folded: Set<String>

    /// Values that are secret wherever they stand in a path.
    package private(set) var pathValues: Set<String> = []

    package init(_ names: some Sequence<String> = []) { folded = Set(names.map(KeySpelling.folded)) }

    /// Whether a name is among them; of a name with brackets, `user[password]`, also by one of its parts.
    package func contains(_ name: String) -> Bool {
        if folded.contains(KeySpelling.folded(name)) { return true }
        guard name.utf8.contains(UInt8(ascii: "[")) else { return false }
        return name.split { $0 == "[" || $0 == "]" }.contains { folded.contains(KeySpelling.folded(String($0))) }
    }

    package func contains(_ name: HTTPField.Name) -> Bool { folded.contains(KeySpelling.folded(name.canonicalName)) }

    package mutating func insert(_ name: String) { folded.insert(KeySpelling.folded(name)) }

    package mutating func formUnion(_ other: SecretNameSet) {
        folded.formUnion(other.folded)
        pathValues.formUnion(other.pathValues)
    }

    package mutating func hide(_ values: Set<String>) { pathValues.formUnion(values) }

    /// The same names, with more values: each as it is, and in the forms in which messages and URLs write it.
    package func hiding(_ values: [String]) -> SecretNameSet {
        guard !values.isEmpty else { return self }
        var names = self
        for value in values {
            let base64 = Data(value.utf8).base64EncodedString()
            // Without its padding, which not everybody writes.
            let digits = String(base64.prefix { $0 != "=" })
            let forURLs = digits.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            names.pathValues.formUnion([value, PercentEncoding.encode(value), digits, forURLs])
        }
        return names
    }

    /// Those of the values that are long enough to be taken out of any text without spoiling it.
    var longValues: [String] { pathValues.filter { $0.count >= 4 } }

    /// The names as they are compared, in order.
    package var names: [String] { folded.sorted() }

    /// What is secret without being declared so.
    package static let usual = SecretNameSet([
        "authorization", "proxy-authorization", "cookie", "set-cookie", "auth", "x-auth-token", "x-access-token",
        "private-token", "x-csrf-token", "x-amz-security-token", "x-api-key", "api_key", "apikey", "access_token",
        "refresh_token", "id_token", "token", "assertion", "password", "passwd", "passphrase", "secret",
        "client_secret", "signature", "sig",
    ])
}
