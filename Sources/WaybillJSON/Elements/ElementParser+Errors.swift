import Foundation

extension ElementParser {
    /// How many bytes behind an error are shown with it.
    private static let reach = 640

    /// The place of the next byte in the document, where that is not at hand.
    mutating func place() -> TextPosition? {
        guard document == nil else { return nil }
        let (bytes, index) = (chunk, index)
        return bytes.withUnsafeBytes {
            let bytes = $0.assumingMemoryBound(to: UInt8.self)
            trail.count(to: index, in: bytes)
            return trail.position(at: index, in: bytes)
        }
    }

    /// The error of a document that is not JSON, or nested too deep.
    func error(of refusal: JSONValidator.Refusal, atEnd: Bool = false) -> DecodingError {
        let source = document.map { JSONSource(data: $0) } ?? source(of: refusal, atEnd)
        if case .depth = refusal.reason {
            return corrupted("The document is nested deeper than \(strategies.maximumDepth) levels.", [], in: source)
        }
        let first = (trail.recent + chunk.prefix(2)).prefix(2)
        if document == nil, offset + index <= 1, first.contains(0) || first.contains(where: { $0 >= 0xFE }) {
            return corrupted("The document is in UTF-16 or UTF-32, which cannot be read in chunks.", [], in: source)
        }
        return corrupted("The document is not valid JSON.", [], in: source)
    }

    /// What is refused, with the bytes around it.
    private func source(of refusal: JSONValidator.Refusal, _ atEnd: Bool) -> JSONSource {
        let offset = refusal.offset
        let window = max(0, offset)..<min(chunk.count, max(0, offset) + Self.reach)
        let fault: JSONPart.Fault
        switch refusal.reason {
        case .syntax(let expected):
            let bytes = trail.recent.suffix(max(0, -offset)) + chunk.dropFirst(window.lowerBound).prefix(window.count)
            let found = JSONTokens(Array(bytes), from: 0).unexpected(expected, at: 0).found
            fault = .syntax(JSONSyntaxError(offset: offset, expected: expected, found: found))
        case .surrogate:
            let summary = "found half of a surrogate pair, which stands for no character"
            fault = .other(summary: summary, place: offset..<(offset + 6))
        case .depth:
            let summary = "the document is nested deeper than \(strategies.maximumDepth) levels"
            fault = .other(summary: summary, place: offset..<(offset + 1))
        }
        let position = atEnd && offset == 0 ? trail.contentEnd : nil
        let part = JSONPart(pathLength: 0, trail: trail, fault: fault, position: position)
        return JSONSource(data: chunk, range: window, of: part)
    }

    /// The error of a value on the way to the array, or in its place, that is of another kind.
    mutating func mismatch(_ type: Any.Type) -> DecodingError {
        let keys = Array(pathKeys.prefix(levels.count))
        let part = JSONPart(pathLength: keys.count, trail: trail, position: place())
        let source =
            document.map { JSONSource(data: $0) } ?? JSONSource(data: chunk, range: index..<chunk.count, of: part)
        let (reason, isNull) = Self.words(forValueAt: chunk[chunk.startIndex + index])
        return error(keys, reason, in: source) { isNull ? .valueNotFound(type, $0) : .typeMismatch(type, $0) }
    }

    private static func words(forValueAt byte: UInt8) -> (reason: String, isNull: Bool) {
        switch byte {
        case UInt8(ascii: "n"): ("Found null instead of a value.", true)
        case UInt8(ascii: "t"): ("Found true instead.", false)
        case UInt8(ascii: "f"): ("Found false instead.", false)
        case UInt8(ascii: "{"): ("Found an object instead.", false)
        case UInt8(ascii: "["): ("Found an array instead.", false)
        case UInt8(ascii: "\""): ("Found a string instead.", false)
        default: ("Found a number instead.", false)
        }
    }

    /// The error of a path that the document does not have.
    func missing(_ child: Int, in level: Level) -> DecodingError {
        let keys = Array(pathKeys.prefix(levels.count))
        // What has been read is gone; an object with the same keys says as much.
        let bytes = Data("{\(level.keys.map { "\"\($0)\":0" }.joined(separator: ","))}".utf8)
        let part = JSONPart(pathLength: keys.count, trail: TextTrail(), position: level.place, isStandIn: true)
        let source = document.map { JSONSource(data: $0) } ?? JSONSource(data: bytes, range: 0..<bytes.count, of: part)
        switch tree.nodes[child].step {
        case .index(let index):
            let reason = "The array has \(level.count) elements."
            return error(keys + [PathKey(index: index)], reason, in: source) { .valueNotFound(Any.self, $0) }
        case .key(let name):
            return error(keys, "The object has no such key.", in: source) { .keyNotFound(PathKey(name), $0) }
        case nil:
            return corrupted("The document has no elements.", keys, in: source)
        }
    }

    /// An error of a value's content.
    func corrupted(_ reason: String, _ path: [any CodingKey], in source: JSONSource?) -> DecodingError {
        error(path, reason, in: source) { .dataCorrupted($0) }
    }

    private func error(
        _ path: [any CodingKey],
        _ reason: String,
        in source: JSONSource?,
        _ make: (DecodingError.Context) -> DecodingError
    ) -> DecodingError {
        let plain = make(DecodingError.Context(codingPath: path, debugDescription: reason))
        guard let source else { return plain }
        let diagnosis = JSONDiagnosis(of: plain, in: source)
        return make(DecodingError.Context(codingPath: path, debugDescription: reason, underlyingError: diagnosis))
    }
}

extension ElementParser {
    /// The error of metadata that the document does not have, or did not have so far.
    func absent(_ path: [EnvelopeKey]) -> DecodingError {
        let (count, node) = tree.visitedSteps(of: path)
        let keys = path.prefix(count).map { PathKey($0) }
        guard count < path.count else { return corrupted("This metadata has not been read yet.", keys, in: nil) }
        switch (path[count], tree.nodes[node].firstByte) {
        case (.key(let name), UInt8(ascii: "{")), (.key(let name), 0):
            return error(keys, "The object has no such key.", in: nil) { .keyNotFound(PathKey(name), $0) }
        case (.index(let index), UInt8(ascii: "[")):
            let place = keys + [PathKey(index: index)]
            return error(place, "The array has no such element.", in: nil) { .valueNotFound(Any.self, $0) }
        case (let step, let byte):
            let (reason, isNull) = Self.words(forValueAt: byte)
            let type: Any.Type = if case .key = step { [String: Any].self } else { [Any].self }
            return error(keys, reason, in: nil) { isNull ? .valueNotFound(type, $0) : .typeMismatch(type, $0) }
        }
    }
}
