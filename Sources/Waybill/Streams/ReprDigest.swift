import WaybillSystem

extension HTTPFields {
    /// The SHA-256 digest of the whole representation, in Base64, as `Repr-Digest` states it (RFC 9530, section 3).
    ///
    /// Nil if the field is missing or malformed.
    var reprDigest: String? {
        guard let value = self[.reprDigest],
            case .bytes(let digest)? = StructuredField.dictionary(value)?["sha-256"]?.value, digest.count == 32
        else { return nil }
        return digest.base64EncodedString()
    }
}
