import WaybillJSON
import WaybillSystem

/// The values to extract from a document in one pass: the value at a path, and side values.
package struct Extraction: Sendable {
    /// The path to the value.
    package var path: [EnvelopeKey]
    /// The side values.
    package var extras: [SideValue] = []
    /// Whether list elements that fail to decode are dropped and reported.
    package var dropsInvalidItems = false
    /// Whether a missing list is treated as empty.
    package var treatsMissingListAsEmpty = false

    /// Whether a value other than an array or null is treated as a list of one item.
    package var treatsValueAsOnlyItem = false

    /// Whether a missing value of an optional type is treated as nil.
    package var treatsMissingValueAsNil = false

    /// The form of a list whose entities are members of an object, keyed by id; nil if lists are arrays.
    package var keyedList: KeyedList.Form?

    /// The id member to add to an object at the path that lacks it, if entities are stored under their ids.
    package var keyedItem: (key: String, id: JSONValue)?

    /// The problem to extract from each item of a batch, and the path to the value in each item.
    package var item: (problem: SideValue?, path: [EnvelopeKey])?

    package init(path: [EnvelopeKey] = []) { self.path = path }

    /// The result of an extraction.
    package struct Result<Value> {
        package let value: Value
        package let extras: [(any Sendable)?]
        package let dropped: [WaybillJSONDecoder.DroppedItem]
    }

    /// Extracts the value and the side values from a document.
    package func decode<Value: Decodable>(
        _ type: Value.Type,
        from data: Data,
        with decoder: any ResponseDecoder
    ) throws -> Result<Value> {
        if let keyedList, let list = try KeyedList.rewrite(data, keyedList) {
            var extraction = self
            extraction.keyedList = nil
            do {
                return try extraction.decode(Value.self, from: list.document, with: decoder)
            } catch let error as DecodingError {
                // Report a syntax error at its position in the original document.
                _ = try decoder.decode(IgnoredValue.self, from: data)
                throw error.naming(list.keys, at: path)
            }
        }
        if keyedItem != nil, let document = rewritten(data) {
            var extraction = self
            extraction.keyedItem = nil
            do {
                return try extraction.decode(Value.self, from: document, with: decoder)
            } catch let error as DecodingError {
                // Report a syntax error at its position in the original document.
                _ = try decoder.decode(IgnoredValue.self, from: data)
                throw error
            }
        }
        if path.isEmpty, extras.isEmpty, item == nil, !dropsInvalidItems, !treatsMissingListAsEmpty,
            !treatsValueAsOnlyItem
        {
            return Result(value: try decoder.decode(Value.self, from: data), extras: [], dropped: [])
        }
        if item == nil, let decoder = decoder as? WaybillJSONDecoder {
            return try decoder.withDocument(data) { try self.decode(Value.self, from: $0) }
        }
        // A decoder cannot pass a path to the decoded type, but a task-local value works with every decoder.
        let document = try Self.$current.withValue(self) { try decoder.decode(Document<Value>.self, from: data) }
        return Result(value: document.value, extras: document.extras, dropped: document.dropped)
    }

    /// Returns a document with ids inserted from its keys or from the call; nil if none needs to be inserted.
    package func rewritten(_ document: Data) -> Data? {
        if let keyedList { return (try? KeyedList.rewrite(document, keyedList))?.document }
        guard let keyedItem else { return nil }
        let form = KeyedList.Form(path: path, idKey: keyedItem.key, hasNumbers: false)
        return KeyedList.inserting("\(keyedItem.id)", form, into: document)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from document: WaybillJSONDecoder.Document) throws
        -> Result<Value>
    {
        var document = document
        document.keyMatching = .similar
        let extras = try extras.map { try $0.decodeFromDocument(document) }
        if let empty = valueIfMissing(Value.self), !document.contains(path) {
            try Self.expectAbsence { _ = try document.decode(IgnoredValue.self, at: path) }
            return Result(value: empty, extras: extras, dropped: [])
        }
        if treatsValueAsOnlyItem, let list = Value.self as? any OneItemList.Type,
            let kind = try document.decodeIfPresent(ValueKind.self, at: path), kind != .array
        {
            let drops = dropsInvalidItems && kind == .object
            let (items, dropped) = try list.decodeOnlyItem(at: path, of: document, dropsInvalid: drops)
            if let value = items as? Value { return Result(value: value, extras: extras, dropped: dropped) }
        }
        if dropsInvalidItems, let list = Value.self as? any DroppingList.Type {
            let (items, dropped) = try list.decodeValidItems(at: path, of: document)
            if let value = items as? Value { return Result(value: value, extras: extras, dropped: dropped) }
        }
        return Result(value: try document.decode(Value.self, at: path), extras: extras, dropped: [])
    }

    /// Returns the replacement for a missing value; nil if a missing value is an error.
    private func valueIfMissing<Value>(_ type: Value.Type) -> Value? {
        if treatsMissingListAsEmpty, let list = Value.self as? any _ListValue.Type { return list.init() as? Value }
        guard treatsMissingValueAsNil, !path.isEmpty else { return nil }
        return (Value.self as? any AbsentValue.Type)?.absent as? Value
    }

    /// Ignores the error for a missing value.
    ///
    /// Rethrows the error for an unexpected type along the path, because an error message in place of the envelope is
    /// not a missing value.
    private static func expectAbsence(_ decode: () throws -> Void) throws {
        do {
            try decode()
        } catch DecodingError.keyNotFound, DecodingError.valueNotFound {
        }
    }

    @TaskLocal static var current = Extraction()

    private struct Document<Value: Decodable>: Decodable {
        let value: Value
        let extras: [(any Sendable)?]
        let dropped: [WaybillJSONDecoder.DroppedItem]

        init(from decoder: any Decoder) throws {
            let extraction = Extraction.current
            extras = try extraction.extras.map { try $0.decode(decoder) }
            (value, dropped) = try extraction.decodeValue(from: decoder)
        }
    }

    private func decodeValue<Value: Decodable>(from decoder: any Decoder) throws -> (
        Value, [WaybillJSONDecoder.DroppedItem]
    ) {
        let walker = DocumentWalker(path: path)
        if let empty = valueIfMissing(Value.self), try walker.decodeIfPresent(IgnoredValue.self, from: decoder) == nil {
            try Self.expectAbsence { _ = try walker.decode(IgnoredValue.self, from: decoder) }
            return (empty, [])
        }
        if treatsValueAsOnlyItem, let list = Value.self as? any OneItemList.Type,
            let kind = try walker.decodeIfPresent(ValueKind.self, from: decoder), kind != .array
        {
            let drops = dropsInvalidItems && kind == .object
            let (items, dropped) = try list.decodeOnlyItem(at: walker, from: decoder, dropsInvalid: drops)
            if let value = items as? Value { return (value, dropped) }
        }
        if dropsInvalidItems, let list = Value.self as? any DroppingList.Type {
            let (items, dropped) = try list.decodeValidItems(at: walker, from: decoder)
            if let value = items as? Value { return (value, dropped) }
        }
        return (try walker.decode(Value.self, from: decoder), [])
    }
}

/// A type with a value that represents absence.
package protocol AbsentValue {
    static var absent: Self { get }
    static var wrappedType: Any.Type { get }
}

extension Optional: AbsentValue {
    package static var absent: Self { nil }
    package static var wrappedType: Any.Type { Wrapped.self }
}

extension DecodingError {
    /// Returns the error with an entity's index in the list at a path replaced by the entity's key.
    fileprivate func naming(_ keys: [String], at path: [EnvelopeKey]) -> DecodingError {
        func renamed(_ context: Context) -> Context {
            var codingPath = context.codingPath
            guard codingPath.count > path.count, let index = codingPath[path.count].intValue,
                keys.indices.contains(index)
            else { return context }
            codingPath[path.count] = EnvelopeCodingKey(keys[index])
            return Context(codingPath: codingPath, debugDescription: context.debugDescription)
        }
        switch self {
        case .typeMismatch(let type, let context): return .typeMismatch(type, renamed(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, renamed(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, renamed(context))
        case .dataCorrupted(let context): return .dataCorrupted(renamed(context))
        @unknown default: return self
        }
    }
}

extension Extraction {
    /// A value decoded along with the main value.
    package struct SideValue: Sendable {
        /// Extracts the value with any decoder.
        package let decode: @Sendable (any Decoder) throws -> (any Sendable)?

        /// Extracts the value from a parsed document.
        package let decodeFromDocument: @Sendable (WaybillJSONDecoder.Document) throws -> (any Sendable)?

        package let type: any (Decodable & Sendable).Type
        package let path: [EnvelopeKey]

        /// Whether a missing value is an error.
        package let isRequired: Bool

        /// The identity of the value's type.
        package var id: ObjectIdentifier { ObjectIdentifier(type) }

        /// Creates a required side value.
        package init<Value: Decodable & Sendable>(_ type: Value.Type, at path: [EnvelopeKey]) {
            (self.type, self.path, isRequired) = (type, path, true)
            decode = { decoder in
                try ExtraFailure.naming(Value.self) { try DocumentWalker(path: path).decode(Value.self, from: decoder) }
            }
            decodeFromDocument = { document in
                try ExtraFailure.naming(Value.self) { try document.decode(Value.self, at: path) }
            }
        }

        /// Creates an optional side value.
        ///
        /// - Parameters:
        ///   - type: the type of the value.
        ///   - path: the path to the value.
        ///   - condition: a closure that returns whether to accept the value; a rejected value is treated as missing.
        package init<Value: Decodable & Sendable>(
            ifPresent type: Value.Type,
            at path: [EnvelopeKey],
            where condition: @escaping @Sendable (Value) -> Bool = { _ in true }
        ) {
            (self.type, self.path, isRequired) = (type, path, false)
            decode = { decoder in
                try ExtraFailure.naming(Value.self) {
                    try DocumentWalker(path: path).decodeIfPresent(Value.self, from: decoder)
                        .flatMap { condition($0) ? $0 : nil }
                }
            }
            decodeFromDocument = { document in
                try ExtraFailure.naming(Value.self) {
                    try document.decodeIfPresent(Value.self, at: path).flatMap { condition($0) ? $0 : nil }
                }
            }
        }

        /// Creates a side value of type ``PlaceContent``, which is never missing.
        ///
        /// - Parameters:
        ///   - path: the path to the value.
        ///   - findsNames: whether to collect the names of an object's members if the path ends at a missing member.
        package init(contentAt path: [EnvelopeKey], findsNames: Bool) {
            (type, self.path, isRequired) = (JSONValue.self, path, false)
            decode = { decoder in
                try ExtraFailure.naming(JSONValue.self) {
                    try PlaceContent(
                        at: path,
                        findsNames: findsNames,
                        value: { try DocumentWalker(path: $0).decodeIfPresent(JSONValue.self, from: decoder) },
                        parent: {
                            try? DocumentWalker(path: Array($0)).decodeIfPresent(PathParent.self, from: decoder)
                        }
                    )
                }
            }
            decodeFromDocument = { document in
                try ExtraFailure.naming(JSONValue.self) {
                    try PlaceContent(
                        at: path,
                        findsNames: findsNames,
                        value: { try document.decodeIfPresent(JSONValue.self, at: $0) },
                        parent: { try? document.decodeIfPresent(PathParent.self, at: Array($0)) }
                    )
                }
            }
        }
    }
}

/// A failure to decode a side value, with the name of the value's type.
package struct ExtraFailure: Error {
    package let typeName: String
    package let underlying: any Error

    static func naming<Value, Result>(_ type: Value.Type, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch {
            throw ExtraFailure(typeName: "\(type)", underlying: error)
        }
    }
}

/// The outcome of one item in a batch: its value, or the problem reported by the server.
package enum ItemOutcome<Value: Decodable & Sendable>: Decodable, Sendable {
    case value(Value)
    case problem(any Sendable)

    package init(from decoder: any Decoder) throws {
        let item = Extraction.current.item
        if let problem = try LoneSurrogates.replaced(in: decoder, { try item?.problem?.decode(decoder) }) {
            self = .problem(problem)
        } else {
            self = .value(try DocumentWalker(path: item?.path ?? []).decode(Value.self, from: decoder))
        }
    }
}

/// The kind of a value, ignoring its content.
enum ValueKind: Decodable {
    case array, object, other

    init(from decoder: any Decoder) {
        if (try? decoder.unkeyedContainer()) != nil {
            self = .array
        } else {
            self = (try? decoder.container(keyedBy: EnvelopeCodingKey.self)) == nil ? .other : .object
        }
    }
}

/// A value of any kind that ignores its content.
package struct IgnoredValue: Decodable, Sendable {
    package init(from decoder: any Decoder) {}
}
