import Waybill
import WaybillSystem

/// A reader of entity ids in documents, based on the entity type's decoding.
package struct EntityCoding: Sendable {
    private let type: Any.Type
    private let decoder: any ResponseDecoder

    /// The path of the id in a document; nil if no single member determines the id.
    package private(set) var idPath: [EnvelopeKey]?

    /// Creates a reader, and finds the path of the id by decoding an example with one value changed at a time.
    ///
    /// - Parameters:
    ///   - type: the entity type.
    ///   - example: a document of an entity.
    ///   - decoder: the declared decoder.
    package init(_ type: Any.Type, example: JSONValue, decoder: any ResponseDecoder) {
        self.type = type
        self.decoder = decoder
        guard type is any Identifiable.Type else { return }
        guard let usual = decodedID(of: example) else {
            // Without an id to compare, a member with a common name is chosen.
            idPath = Self.paths(in: example, depth: 1).first { path in
                if case .key(let key)? = path.first { Self.rank(key) <= Self.commonKeys.count } else { false }
            }
            return
        }
        idPath = Self.paths(in: example, depth: 3).first { path in
            Self.others(than: example.value(at: path) ?? .null).contains { other in
                guard let id = decodedID(of: example.setting(other, at: path)) else { return false }
                return id != usual && id == UUID.normalized(other.plainText)
            }
        }
    }

    /// Returns the id in a document, with UUIDs in lowercase (RFC 9562, section 4); nil for a document without an id.
    package func id(of document: JSONValue) -> String? {
        if let id = decodedID(of: document) { return id }
        guard let idPath, let value = document.value(at: idPath), !value.isNull else { return nil }
        return UUID.normalized(value.plainText)
    }

    /// Returns the reason that the declared decoder rejects a document; nil if it accepts the document.
    package func problem(of document: JSONValue) -> String? {
        do {
            _ = try decoded(document)
            return nil
        } catch {
            return WaybillJSONDecoder.Diagnosis.text(of: error)
        }
    }

    private func decoded(_ document: JSONValue) throws -> Any? {
        guard let type = type as? any Decodable.Type else { return nil }
        return try decoder.decode(type, from: Data(document.description.utf8))
    }

    private func decodedID(of document: JSONValue) -> String? {
        guard let entity = (try? decoded(document)) as? any Identifiable else { return nil }
        return (entity.id as? any PathSegmentConvertible).map { UUID.normalized($0.segmentText) }
    }

    private static let commonKeys = ["id", "_id", "ID", "uuid", "name"]

    /// Returns the paths of the scalars in a document, most likely ids first.
    private static func paths(in document: JSONValue, depth: Int) -> [[EnvelopeKey]] {
        guard depth > 0, let members = document.objectValue else { return [] }
        let inner = members.filter { $0.value.objectValue != nil }
        let own = members.filter { $0.value.objectValue == nil && $0.value.arrayValue == nil }
        return keys(of: own).map { [.key($0)] }
            + keys(of: inner).flatMap { key in
                paths(in: members[key] ?? .null, depth: depth - 1).map { [.key(key)] + $0 }
            }
    }

    /// Returns the keys of an object, most likely ids first.
    private static func keys(of members: [String: JSONValue]) -> [String] {
        members.keys.sorted { (rank($0), $0) < (rank($1), $1) }
    }

    private static func rank(_ key: String) -> Int {
        commonKeys.firstIndex(of: key) ?? (key.lowercased().hasSuffix("id") ? commonKeys.count : commonKeys.count + 1)
    }

    /// Returns several other values of the same type, because an initializer might reject some of them.
    private static func others(than value: JSONValue) -> [JSONValue] {
        if value.intValue != nil { return [7, 2] }
        guard let text = value.stringValue else { return [] }
        return ["other", "9b2f3f1c-5a10-4c8a-9a35-0d1f4a4b7c11", "7", .string(text + "2"), "B"]
    }
}

extension WaybillJSONDecoder.Diagnosis {
    /// Returns a description of an error, without values from the document if it is a decoding error.
    static func text(of error: any Error) -> String {
        (error as? DecodingError).flatMap(WaybillJSONDecoder.Diagnosis.init)?.description ?? "\(error)"
    }
}

extension JSONValue {
    /// The text of a scalar in a path, a query or a header field.
    package var plainText: String { stringValue ?? description }

    /// Returns the document with a value set at the given path, creating containers along the path.
    ///
    /// - Parameters:
    ///   - value: the value to set.
    ///   - path: the path of the value. Nothing is set at or below an index from the end of an array.
    ///   - keeps: whether existing values are kept and objects are merged.
    /// - Returns: the changed document.
    package func setting(_ value: JSONValue, at path: [EnvelopeKey], keeps: Bool = false) -> JSONValue {
        guard let first = path.first else {
            guard keeps, let own = objectValue, let new = value.objectValue else {
                return keeps && !isNull ? self : value
            }
            return .object(own.merging(new) { old, _ in old })
        }
        let rest = Array(path.dropFirst())
        switch first {
        case .key(let name):
            var members = objectValue ?? [:]
            members[name] = (members[name] ?? .null).setting(value, at: rest, keeps: keeps)
            return .object(members)
        case .index(let index):
            var elements = arrayValue ?? []
            guard index >= 0 else { return self }
            while elements.count <= index { elements.append(.null) }
            elements[index] = elements[index].setting(value, at: rest, keeps: keeps)
            return .array(elements)
        }
    }
}
