import Foundation
import WaybillJSON

/// A user's document: a JSON or JSON Lines file.
struct UserDocument: Sendable {
    /// The error for a file that cannot be measured.
    struct ReadingError: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let data: Data

    /// Whether the file contains one JSON text per line (JSON Lines).
    let isLines: Bool

    /// The path of the array to read element by element; nil for JSON Lines or a document without such an array.
    let elements: [EnvelopeKey]?

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - keys: the path of an array in the document, such as `data.items` or `pages.0.rows`; nil for the document
    ///     itself.
    /// - Throws: ``ReadingError`` if the file cannot be read, is not JSON (with the line and column of the problem), or
    ///   has no array at the path.
    init(path: String, at keys: String?) throws {
        let url = URL(fileURLWithPath: path)
        name = url.lastPathComponent
        do {
            data = try Data(contentsOf: url, options: .mappedIfSafe)
        } catch {
            throw ReadingError(description: "\(path) cannot be read: \(error.localizedDescription)")
        }
        isLines = ["jsonl", "ndjson"].contains(url.pathExtension.lowercased())
        if isLines {
            guard keys == nil else {
                throw ReadingError(description: "the lines of \(name) have no path: leave out --at")
            }
            elements = nil
            return
        }
        let steps = (keys ?? "").split(separator: ".").map { Int($0).map(EnvelopeKey.index) ?? .key(String($0)) }
        do {
            let root = try WaybillJSONDecoder().decode(JSONValue.self, from: data, at: steps)
            guard root.arrayValue != nil || keys == nil else {
                throw ReadingError(description: "\(name) has no array at \(keys ?? "")")
            }
            elements = root.arrayValue == nil ? nil : steps
        } catch let error as DecodingError {
            let reason = WaybillJSONDecoder.Diagnosis(error)?.description ?? "\(error)"
            let hint = Self.hasLines(data) ? " (its lines are JSON: rename it to .jsonl)" : ""
            throw ReadingError(description: "\(name) cannot be decoded\(hint): \(reason)")
        }
    }

    /// Whether the first two lines are JSON texts, as in a JSON Lines file with a different extension.
    private static func hasLines(_ data: Data) -> Bool {
        let first = lines(of: data).prefix(2)
        let decoder = WaybillJSONDecoder()
        return first.count == 2 && first.allSatisfy { (try? decoder.decode(JSONValue.self, from: $0)) != nil }
    }

    /// The nonblank lines.
    var lines: [Data] { Self.lines(of: data) }

    private static func lines(of data: Data) -> [Data] {
        data.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy { $0 == 13 || $0 == 32 } }
    }
}
