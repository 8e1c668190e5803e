import Waybill
import WaybillSystem

/// The metadata for resuming an unfinished file in another process.
///
/// It contains no URL or credential, because the endpoint provides both.
struct PartRecord: Sendable, Hashable {
    /// The method, the path template and a hash of the path, which identify the endpoint.
    let endpoint: String

    /// The validator of the representation.
    let validator: StrongValidator

    /// The length of the whole file in bytes; nil if the server did not announce it.
    let length: Int?

    /// The `Content-Type` of the file.
    let contentType: String?

    /// The progress of the file; nil in records written by earlier versions.
    var progress: PartProgress?
}

/// The lengths of the unfinished file before and after the current write, with the hashes of its bytes.
struct PartProgress: Sendable, Hashable {
    /// A length in bytes, and the hash of the bytes.
    struct Point: Sendable, Hashable {
        let length: Int
        let hash: UInt64
    }

    let points: [Point]

    init(_ before: Point, _ after: Point) { points = [before, after] }

    /// Parses the text form of a progress; returns nil if it is malformed.
    init?(_ text: String) {
        guard text.utf8.count == 64 else { return nil }
        let numbers = (0..<4).map { UInt64(text.dropFirst($0 * 16).prefix(16), radix: 16) }
        guard let start = numbers[0], let first = numbers[1], let end = numbers[2], let second = numbers[3],
            let before = Int(exactly: start), let after = Int(exactly: end)
        else { return nil }
        self.init(Point(length: before, hash: first), Point(length: after, hash: second))
    }

    /// The lengths and hashes in hexadecimal, as a fixed-length text that can be overwritten in place.
    var text: String {
        points.flatMap { [UInt64($0.length), $0.hash] }
            .map { number in
                let digits = String(number, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            .joined()
    }
}

/// Encoding as the JSON object in the record file.
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

    /// Returns the offset of the progress in an encoded record.
    static func progressOffset(in bytes: Data) -> Int? {
        // The match is unique, because quotation marks in values are escaped.
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
