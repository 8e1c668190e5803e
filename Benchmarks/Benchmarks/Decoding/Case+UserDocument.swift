import Foundation
import WaybillJSON

extension Case {
    /// Returns the cases for a user's document: decoded as a whole, and element by element.
    static func document(_ document: UserDocument) -> [Case] {
        if document.isLines { return [lines(of: document)] }
        return [whole(document)] + (document.elements.map { [elements(of: document, at: $0)] } ?? [])
    }

    private static func whole(_ document: UserDocument) -> Case {
        let data = Document { document.data }
        let foundation = JSONDecoder()
        let waybill = WaybillJSONDecoder()
        return Case(
            "\(document.name), whole",
            [
                Subject("JSONSerialization", decoding: data, with: .ofThisProgram) {
                    try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed)
                } result: {
                    DocumentTally(object: $0)
                },
                Subject("JSONDecoder, JSONValue", decoding: data, with: .ofThisProgram) {
                    try foundation.decode(JSONValue.self, from: $0)
                } result: {
                    DocumentTally($0)
                },
                Subject("WaybillJSONDecoder, JSONValue", decoding: data, with: .ofThisProgram) {
                    try waybill.decode(JSONValue.self, from: $0)
                } result: {
                    DocumentTally($0)
                },
            ]
        )
    }

    private static func elements(of document: UserDocument, at path: [EnvelopeKey]) -> Case {
        let data = Document { document.data }
        let decoder = WaybillJSONDecoder()
        return Case(
            "\(document.name), elements of \(path.pathDescription)",
            [
                Subject("JSONSerialization, all at once", decoding: data, with: .ofThisProgram) {
                    try Self.array(in: JSONSerialization.jsonObject(with: $0), at: path)
                } result: {
                    $0.reduce(into: DocumentTally()) { $0.add(object: $1) }
                },
                Subject("WaybillJSONDecoder, all at once", decoding: data, with: .ofThisProgram) {
                    try decoder.decode([JSONValue].self, from: $0, at: path)
                } result: {
                    $0.reduce(into: DocumentTally()) { $0.add($1) }
                },
                Subject("WaybillJSONDecoder, one by one", decoding: data, with: .ofThisProgram) {
                    var count = 0
                    var elements = decoder.elements(JSONValue.self, from: $0, at: path)
                    while try elements.next() != nil { count += 1 }
                    return count
                } outcome: {
                    var tally = DocumentTally()
                    var elements = decoder.elements(JSONValue.self, from: $0, at: path)
                    while let element = try elements.next() { tally.add(element) }
                    return tally
                },
            ]
        )
    }

    private static func lines(of document: UserDocument) -> Case {
        let data = Document { document.data }
        let lines = document.lines
        let decoder = WaybillJSONDecoder()
        return Case(
            "\(document.name), \(lines.count) lines",
            [
                Subject("JSONSerialization, all at once", decoding: data, with: .ofThisProgram) { _ in
                    try lines.map { try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) }
                } result: {
                    $0.reduce(into: DocumentTally()) { $0.add(object: $1) }
                },
                Subject("WaybillJSONDecoder, all at once", decoding: data, with: .ofThisProgram) { _ in
                    try lines.map { try decoder.decode(JSONValue.self, from: $0) }
                } result: {
                    $0.reduce(into: DocumentTally()) { $0.add($1) }
                },
                Subject("WaybillJSONDecoder, one by one", decoding: data, with: .ofThisProgram) {
                    var count = 0
                    var elements = Self.reader(of: $0, decoder)
                    while try elements.next() != nil { count += 1 }
                    try elements.finish()
                    return count
                } outcome: {
                    var tally = DocumentTally()
                    var elements = Self.reader(of: $0, decoder)
                    while let element = try elements.next() { tally.add(element) }
                    try elements.finish()
                    return tally
                },
            ]
        )
    }

    private static func reader(
        of lines: Data,
        _ decoder: WaybillJSONDecoder
    ) -> WaybillJSONDecoder.ElementReader<JSONValue> {
        var reader = WaybillJSONDecoder.ElementReader<JSONValue>(decoder, sequence: .lines)
        reader.append(lines)
        reader.endSequence()
        return reader
    }

    /// Returns the array at a path of a document parsed by `JSONSerialization`.
    private static func array(in document: Any, at path: [EnvelopeKey]) throws -> [Any] {
        let value = path.reduce(document as Any?) { value, step in
            switch step {
            case .key(let key): (value as? [String: Any])?[key]
            case .index(let index): (value as? [Any]).flatMap { $0.indices.contains(index) ? $0[index] : nil }
            }
        }
        guard let array = value as? [Any] else {
            throw UserDocument.ReadingError(description: "Foundation finds no array at \(path.pathDescription)")
        }
        return array
    }
}
