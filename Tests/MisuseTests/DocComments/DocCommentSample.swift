import Foundation
import Testing

/// A fenced code block in a doc comment.
struct DocCommentSample: Sendable, CustomTestStringConvertible {
    /// The path of the file relative to the repository root.
    let path: String
    /// The line number of the opening fence.
    let line: Int
    /// The language after the fence.
    let language: String
    let code: [String]
    /// The condition of the enclosing `#if`, if any.
    var condition: String?

    var testDescription: String { "\(path):\(line)" }

    /// Every sample in the public modules.
    static let all: [DocCommentSample] = [
        "Waybill", "WaybillBenchmarking", "WaybillCurl", "WaybillHTTP", "WaybillJSON", "WaybillTesting",
        "WaybillURLSession",
    ].flatMap { module in
        let folder = RepositoryRoot.url.appendingPathComponent("Sources/\(module)")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") }.sorted().flatMap { path in
            let text = (try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)) ?? ""
            return samples(in: text, path: "Sources/\(module)/\(path)")
        }
    }

    /// Returns the samples in the text of a source file.
    static func samples(in text: String, path: String) -> [DocCommentSample] {
        var samples: [DocCommentSample] = []
        var open: (language: String, line: Int, code: [String])?
        var conditions: [String] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let line = line.drop { $0 == " " }
            guard line.hasPrefix("///") else {
                open = nil
                if line.hasPrefix("#if ") { conditions.append(String(line.dropFirst(4))) }
                if line.hasPrefix("#else") { conditions = conditions.dropLast() + ["!(\(conditions.last ?? "true"))"] }
                if line.hasPrefix("#endif") { _ = conditions.popLast() }
                continue
            }
            let content = line.dropFirst(3)
            let body = String(content.hasPrefix(" ") ? content.dropFirst() : content)
            if !body.hasPrefix("```") {
                open?.code.append(body)
            } else if let block = open {
                samples.append(
                    DocCommentSample(
                        path: path,
                        line: block.line,
                        language: block.language,
                        code: block.code,
                        condition: conditions.isEmpty ? nil : conditions.joined(separator: " && ")
                    )
                )
                open = nil
            } else {
                open = (String(body.dropFirst(3)), index + 1, [])
            }
        }
        return samples
    }
}
