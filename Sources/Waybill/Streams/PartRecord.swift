#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The facts about an unfinished file, which another process needs to continue it.
///
/// They hold neither the URL nor the credential: the endpoint plans both afresh.
struct PartRecord: Sendable, Hashable {
    /// The method and the template of the endpoint, and a hash of the values in it.
    let endpoint: String

    /// The validator of the representation.
    let validator: StrongValidator

    /// The number of bytes of the whole file; nil if the server has not said it.
    let length: Int?

    /// The value of the `Content-Type` field.
    let contentType: String?
}

/// The file beside the unfinished one: a JSON object.
extension PartRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, endpoint, entityTag, lastModified, length, contentType
    }

    private static let version = 1

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let tag = try fields.decodeIfPresent(String.self, forKey: .entityTag).map(StrongValidator.entityTag)
        let date = try fields.decodeIfPresent(String.self, forKey: .lastModified).map(StrongValidator.lastModified)
        guard try fields.decode(Int.self, forKey: .version) == Self.version, let validator = tag ?? date else {
            throw DecodingError.dataCorruptedError(forKey: .version, in: fields, debugDescription: "another format")
        }
        endpoint = try fields.decode(String.self, forKey: .endpoint)
        self.validator = validator
        length = try fields.decodeIfPresent(Int.self, forKey: .length)
        contentType = try fields.decodeIfPresent(String.self, forKey: .contentType)
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(Self.version, forKey: .version)
        try fields.encode(endpoint, forKey: .endpoint)
        switch validator {
        case .entityTag(let text): try fields.encode(text, forKey: .entityTag)
        case .lastModified(let text): try fields.encode(text, forKey: .lastModified)
        }
        try fields.encodeIfPresent(length, forKey: .length)
        try fields.encodeIfPresent(contentType, forKey: .contentType)
    }
}
