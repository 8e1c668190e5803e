import Foundation

extension ElementParser {
    /// What ``next(_:into:)`` has found.
    enum Found {
        /// No other element in the bytes that were appended.
        case nothing
        case element
        case failure(DroppedItem)
    }

    /// Decodes the next element.
    ///
    /// - Throws: The error of a document that cannot be read on.
    mutating func next<Element: Decodable>(_ type: Element.Type, into element: inout Element?) throws -> Found {
        while true {
            switch try advance() {
            case .needsBytes:
                return .nothing
            case .elementBegins:
                // Most elements are whole in one chunk, and need not be copied.
                let (data, start) = (chunk, index)
                let reading = reading(part ?? shareTrail(), isOpenEnded: true)
                do {
                    let isRead = try reading.read(data, from: start, to: &index) {
                        element = try $0.decode(type, at: 1, in: 0)
                    }
                    guard isRead else {
                        beginKeeping()
                        continue
                    }
                    passElement()
                    return .element
                } catch {
                    passElement()
                    count(to: start)
                    part = nil
                    return .failure(DroppedItem(index: elementIndex - 1, error: error))
                }
            case .elementEnds:
                guard let value = kept else { continue }
                kept = nil
                elementIndex += 1
                let part = JSONPart(pathLength: path.count + 1, trail: value.trail)
                var end = 0
                do {
                    let isRead = try reading(part, at: elementIndex - 1).read(value.data, from: 0, to: &end) {
                        element = try $0.decode(type, at: 1, in: 0)
                    }
                    if isRead { return .element }
                } catch {
                    return .failure(DroppedItem(index: elementIndex - 1, error: error))
                }
                throw stop(.valueTooLarge(at: pathKeys + [PathKey(index: elementIndex - 1)]))
            }
        }
    }

    private func reading(_ part: JSONPart, at place: Int? = nil, isOpenEnded: Bool = false) -> ValueReading {
        ValueReading(
            strategies: strategies,
            maximumDepth: strategies.maximumDepth - validator.depth,
            prefix: pathKeys,
            elementIndex: place ?? elementIndex,
            isOpenEnded: isOpenEnded,
            part: part
        )
    }

    private mutating func shareTrail() -> JSONPart {
        let shared = JSONPart(pathLength: path.count + 1, trail: trail)
        part = shared
        return shared
    }

    private mutating func passElement() {
        validator.passValue()
        elementIndex += 1
    }

    /// Decodes metadata that was kept.
    func decodeMetadata<Value: Decodable>(_ type: Value.Type, at path: [EnvelopeKey]) throws -> Value {
        guard let (node, rest) = tree.kept(at: path) else {
            let reason = "This metadata is not kept; name it in `keeping` before the document is read."
            throw corrupted(reason, path.map { PathKey($0) }, in: nil)
        }
        guard let value = metadata[node] else { throw absent(path) }
        let keys = path.dropLast(rest.count).map { PathKey($0) }
        let reading = ValueReading(
            strategies: strategies,
            maximumDepth: strategies.maximumDepth,
            prefix: keys,
            part: JSONPart(pathLength: keys.count, trail: value.trail)
        )
        var end = 0
        var result: Value?
        _ = try reading.read(value.data, from: 0, to: &end) { state in
            let place = try state.place(at: Array(rest))
            result = try state.decode(type, at: place.index, in: place.container)
        }
        guard let result else { throw DecodingError.valueTooLarge(at: keys) }
        return result
    }

    private mutating func stop(_ error: DecodingError) -> DecodingError {
        failure = error
        return error
    }
}

extension DecodingError {
    /// The error of a value that has 4 GiB or more.
    static func valueTooLarge(at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: "The value has 4 GiB or more."))
    }
}
