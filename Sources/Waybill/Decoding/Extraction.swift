import Foundation
import WaybillJSON

/// What is taken out of one document in one pass: a value at a path, and whatever lies beside it.
package struct Extraction: Sendable {
    /// The way from the top of the document to the value.
    package var path: [EnvelopeKey]
    /// What is taken out beside the value.
    package var extras: [Extra] = []
    /// Whether elements that cannot be decoded are dropped from a list, and reported.
    package var dropsInvalidItems = false
    /// Whether a list that is not there is an empty one.
    package var treatsMissingListAsEmpty = false

    /// Where each item of a batch says that it failed, and where its value stands otherwise.
    package var item: (problem: Extra, path: [EnvelopeKey])?

    package init(path: [EnvelopeKey] = []) { self.path = path }

    /// What came out of a document.
    package struct Result<Value> {
        package let value: Value
        package let extras: [(any Sendable)?]
        package let dropped: [DroppedItem]
    }

    /// Takes the value and the extras out of a document.
    package func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        with decoder: any ResponseDecoder
    ) throws -> Result<Value> {
        if path.isEmpty, extras.isEmpty, item == nil, !dropsInvalidItems, !treatsMissingListAsEmpty {
            return Result(value: try decoder.decode(Value.self, from: data), extras: [], dropped: [])
        }
        if item == nil, let decoder = decoder as? WaybillJSONDecoder {
            return try decoder.withDocument(data) { try self.decode(Value.self, from: $0) }
        }
        // A decoder offers no way to hand a path to the type that it decodes; a task-local value passes through all
        // of them.
        let document = try Self.$current.withValue(self) { try decoder.decode(Document<Value>.self, from: data) }
        return Result(value: document.value, extras: document.extras, dropped: document.dropped)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from document: JSONDocument) throws -> Result<Value> {
        var document = document
        document.keyMatching = .similar
        let extras = try extras.map { try $0.decodeFromDocument(document) }
        if treatsMissingListAsEmpty, let empty = Self.emptyList(Value.self), !document.contains(path) {
            return Result(value: empty, extras: extras, dropped: [])
        }
        if dropsInvalidItems, let list = Value.self as? any DroppingList.Type {
            let (items, dropped) = try list.decodeValidItems(at: path, of: document)
            if let value = items as? Value { return Result(value: value, extras: extras, dropped: dropped) }
        }
        return Result(value: try document.decode(Value.self, at: path), extras: extras, dropped: [])
    }

    private static func emptyList<Value>(_ type: Value.Type) -> Value? {
        (Value.self as? any ListValue.Type)?.init() as? Value
    }

    @TaskLocal static var current = Extraction()

    private struct Document<Value: Decodable>: Decodable {
        let value: Value
        let extras: [(any Sendable)?]
        let dropped: [DroppedItem]

        init(from decoder: any Decoder) throws {
            let extraction = Extraction.current
            extras = try extraction.extras.map { try $0.decode(decoder) }
            (value, dropped) = try extraction.decodeValue(from: decoder)
        }
    }

    private func decodeValue<Value: Decodable>(from decoder: any Decoder) throws -> (Value, [DroppedItem]) {
        let walker = DocumentWalker(path: path)
        if treatsMissingListAsEmpty, let empty = Self.emptyList(Value.self) {
            guard try walker.decodeIfPresent(Anything.self, from: decoder) != nil else { return (empty, []) }
        }
        if dropsInvalidItems, let list = Value.self as? any DroppingList.Type {
            let (items, dropped) = try list.decodeValidItems(at: walker, from: decoder)
            if let value = items as? Value { return (value, dropped) }
        }
        return (try walker.decode(Value.self, from: decoder), [])
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }
}
