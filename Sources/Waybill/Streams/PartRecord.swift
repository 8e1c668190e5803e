import WaybillSystem

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

    /// The progress of the file; nil in a record of an earlier version.
    var progress: PartProgress?
}

/// The numbers of bytes that are in the unfinished file before and after the write that is under way, with their
/// hashes.
struct PartProgress: Sendable, Hashable {
    /// A number of bytes, and their hash.
    struct Point: Sendable, Hashable {
        let length: Int
        let hash: UInt64
    }

    let points: [Point]

    init(_ before: Point, _ after: Point) { points = [before, after] }

    /// Parses the text; nil if it is another.
    init?(_ text: String) {
        guard text.utf8.count == 64 else { return nil }
        let numbers = (0..<4).map { UInt64(text.dropFirst($0 * 16).prefix(16), radix: 16) }
        guard let start = numbers[0], let first = numbers[1], let end = numbers[2], let second = numbers[3],
            let before = Int(exactly: start), let after = Int(exactly: end)
        else { return nil }
        self.init(Point(length: before, hash: first), Point(length: after, hash: second))
    }

    /// The numbers in hexadecimal, whose text always has the same length: it is written in its place.
    var text: String {
        points.flatMap { [UInt64($0.length), $0.hash] }
            .map { number in
                let digits = String(number, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            .joined()
    }
}

/// The file beside the unfinished one: a JSON object.
extension PartRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, endpoint, entityTag, lastModified, length, contentType, progress
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
        progress = try fields.decodeIfPresent(String.self, forKey: .progress).map { text in
            guard let progress = PartProgress(text) else {
                throw DecodingError.dataCorruptedError(forKey: .progress, in: fields, debugDescription: "no progress")
            }
            return progress
        }
    }

    /// Returns the offset of the progress in the encoded record.
    static func progressOffset(in bytes: Data) -> Int? {
        // A quotation mark in another value is escaped.
        bytes.firstRange(of: Data(#""progress":""#.utf8))?.upperBound
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
        try fields.encodeIfPresent(progress?.text, forKey: .progress)
    }
}
