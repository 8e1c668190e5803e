import Foundation

/// The outcome of decoding, as text that can be compared between decoders.
enum Outcome: Hashable, Sendable, CustomStringConvertible {
    case value(String)
    case failure(String)

    init(_ body: () throws -> Any) {
        do { self = .value(canonicalText(of: try body())) } catch { self = .failure(Self.words(for: error)) }
    }

    /// Returns a `dataCorrupted` failure with the path of the value in the format of `words(for:)`.
    static func corrupted(at path: String = "") -> Self { .failure("dataCorrupted at <\(path)>") }

    var description: String {
        switch self {
        case .value(let text): "value \(text)"
        case .failure(let text): "failure \(text)"
        }
    }

    /// Returns the parts of a decoding error without its prose: its kind, the type or key, and the coding path.
    static func words(for error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(let type, let context):
            "typeMismatch \(type) at <\(words(for: context.codingPath))>"
        case DecodingError.valueNotFound(let type, let context):
            "valueNotFound \(type) at <\(words(for: context.codingPath))>"
        case DecodingError.keyNotFound(let key, let context):
            "keyNotFound \(words(for: [key])) at <\(words(for: context.codingPath))>"
        case DecodingError.dataCorrupted(let context):
            "dataCorrupted at <\(words(for: context.codingPath))>"
        default:
            "\(error)"
        }
    }

    /// Returns the keys of a path, such as `items > Index 0#0`; an integer value follows `#`.
    static func words(for path: [any CodingKey]) -> String {
        path.map { key in key.stringValue + (key.intValue.map { "#\($0)" } ?? "") }.joined(separator: " > ")
    }
}
