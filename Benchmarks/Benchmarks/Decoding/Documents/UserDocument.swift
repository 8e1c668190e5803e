import Foundation
import WaybillJSON

/// A document of the person who runs the benchmarks, from a file: JSON, or a JSON text in each line.
struct UserDocument: Sendable {
    /// The error of a file that cannot be measured.
    struct ReadingError: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let data: Data

    /// Whether the file has a JSON text in each line (JSON Lines).
    let isLines: Bool

    /// The path of the array whose elements are read one by one; nil if no elements can be.
    let elements: [EnvelopeKey]?

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - keys: the path of an array in the document, such as `data.items` or `pages.0.rows`; nil stands for the
    ///     document itself.
    /// - Throws: ``ReadingError`` with the line and column if the file is not JSON, or has no array at the path.
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

    /// Whether the first two lines are a JSON text each, as in a file of JSON Lines with the extension of JSON.
    private static func hasLines(_ data: Data) -> Bool {
        let first = lines(of: data).prefix(2)
        let decoder = WaybillJSONDecoder()
        return first.count == 2 && first.allSatisfy { (try? decoder.decode(JSONValue.self, from: $0)) != nil }
    }

    /// The lines that are not empty.
    var lines: [Data] { Self.lines(of: data) }

    private static func lines(of data: Data) -> [Data] {
        data.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy { $0 == 13 || $0 == 32 } }
    }
}
