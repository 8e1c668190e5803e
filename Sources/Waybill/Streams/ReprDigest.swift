#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPFields {
    /// The SHA-256 digest of the whole representation, in Base64, as `Repr-Digest` states it (RFC 9530, section 3).
    ///
    /// Nil if the field is missing or malformed.
    var reprDigest: String? {
        guard let value = self[.reprDigest] else { return nil }
        // A dictionary of RFC 8941: of several members with one key, the last counts.
        let members = value.split(separator: ",").map { $0.trimmed() }
        guard let member = members.last(where: { $0.hasPrefix("sha-256=") }) else { return nil }
        let item = member.dropFirst("sha-256=".count).prefix { $0 != ";" }.trimmed()
        guard item.count > 2, item.hasPrefix(":"), item.hasSuffix(":"),
            let digest = Data(base64Encoded: String(item.dropFirst().dropLast())), digest.count == 32
        else { return nil }
        return digest.base64EncodedString()
    }
}
