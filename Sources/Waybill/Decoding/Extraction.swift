import Foundation

/// What is taken out of one document in one pass: a value at a path, and whatever lies beside it.
package struct Extraction: Sendable {
    /// Something beside the value: it is decoded where it is there.
    package struct Extra: Sendable {
        package let decode: @Sendable (any Decoder) throws -> (any Sendable)?

        /// Whatever the closure takes out of the document.
        package init(_ decode: @escaping @Sendable (any Decoder) throws -> (any Sendable)?) { self.decode = decode }

        /// A value that has to be at the path.
        package init<Value: Decodable & Sendable>(_ type: Value.Type, at path: [EnvelopeKey]) {
            decode = { decoder in
                try ExtraFailure.naming(Value.self) { try DocumentWalker(path: path).decode(Value.self, from: decoder) }
            }
        }

        /// A value that may be at the path.
        package init<Value: Decodable & Sendable>(ifPresent type: Value.Type, at path: [EnvelopeKey]) {
            decode = { decoder in
                try ExtraFailure.naming(Value.self) {
                    try DocumentWalker(path: path).decodeIfPresent(Value.self, from: decoder)
                }
            }
        }
    }

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
        // A decoder offers no way to hand a path to the type that it decodes; a task-local value passes through all
        // of them.
        let document = try Self.$current.withValue(self) { try decoder.decode(Document<Value>.self, from: data) }
        return Result(value: document.value, extras: document.extras, dropped: document.dropped)
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
        if treatsMissingListAsEmpty, let empty = (Value.self as? any ListValue.Type)?.init() as? Value {
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
