import Waybill
import WaybillJSON

/// A decoder and single-value container that records what an initializer requests and returns generated values.
struct ProbeDecoder: Decoder, SingleValueDecodingContainer {
    let run: ProbeRun
    let node: ProbeNode
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { run.probe.conventions.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try run.countRequest(codingPath)
        node.isKeyed = true
        return KeyedDecodingContainer(ProbeKeyedContainer(run: run, node: node, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try run.countRequest(codingPath)
        node.isUnkeyed = true
        return ProbeUnkeyedContainer(run: run, node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool {
        node.isNullable = true
        return (try? run.choose(.presence(nil), of: 2, at: node, codingPath)) == 1
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try run.value(type, at: node, codingPath)
    }
}

extension ProbeDecoder: JSONLearningDecoder {
    func decodeJSON() throws -> JSONValue { try decode(JSONValue.self) }
}

/// A keyed container in which every requested member is present, unless a choice omits it.
struct ProbeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let run: ProbeRun
    let node: ProbeNode
    let codingPath: [any CodingKey]

    var allKeys: [Key] {
        if let keys = EnumCases.all(of: Key.self)?.map(\.stringValue) {
            guard let choice = try? run.choose(.keys(keys), of: keys.count + 2, at: node, codingPath) else { return [] }
            if choice < keys.count { return [keys[choice]].compactMap(Key.init(stringValue:)) }
            return choice == keys.count ? keys.compactMap(Key.init(stringValue:)) : []
        }
        let (candidates, schema) = run.keyCandidates
        node.dictionaryKeys = .some(schema)
        guard
            let choice = try? run.choose(.syntheticKeys, of: candidates.count + 1, at: node, codingPath),
            choice < candidates.count, let key = Key(stringValue: candidates[choice])
        else { return [] }
        node.syntheticKeys.insert(key.stringValue)
        return [key]
    }

    func contains(_ key: Key) -> Bool {
        let member = member(key)
        member.isOptional = true
        return isPresent(member)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        let member = member(key)
        member.node.isNullable = true
        return !isPresent(member)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let member = member(key)
        try checkPresence(of: member, key)
        return try run.value(type, at: member.node, codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        guard let key = Key(stringValue: "super") else {
            let member = member(named: "super", "super")
            return ProbeDecoder(run: run, node: member.node, codingPath: codingPath)
        }
        return try decoder(key)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> ProbeDecoder {
        let member = member(key)
        try checkPresence(of: member, key)
        return ProbeDecoder(run: run, node: member.node, codingPath: codingPath + [key])
    }

    private func checkPresence(of member: ProbeNode.Member, _ key: Key) throws {
        try run.countRequest(codingPath)
        guard member.isPresent == false else { return }
        throw DecodingError.keyNotFound(
            key,
            .init(codingPath: codingPath, debugDescription: "The probe omits the member.")
        )
    }

    private func isPresent(_ member: ProbeNode.Member) -> Bool {
        if let isPresent = member.isPresent { return isPresent }
        let choice = try? run.choose(.presence(member), of: 2, at: member.node, codingPath)
        member.isPresent = choice != 1
        return choice != 1
    }

    private func member(_ key: Key) -> ProbeNode.Member {
        if let member = node.member(key.stringValue) { return member }
        if node.syntheticKeys.contains(key.stringValue) { return member(named: key.stringValue, key.stringValue) }
        let (name, origin) = run.probe.conventions.documentKey(of: key, at: codingPath)
        return member(named: key.stringValue, name, origin)
    }

    private func member(
        named key: String,
        _ documentKey: String,
        _ origin: JSONSchema.Origin = .asked
    ) -> ProbeNode.Member {
        if let member = node.member(key) { return member }
        let member = ProbeNode.Member(documentKey: documentKey, keyOrigin: origin)
        node.add(member, for: key)
        return member
    }
}

/// An unkeyed container with as many elements as the initializer reads or, if it requests the count, as a choice
/// determines.
struct ProbeUnkeyedContainer: UnkeyedDecodingContainer {
    let run: ProbeRun
    let node: ProbeNode
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    // A class, because copies of the container share the count, which the nonmutating `count` and `isAtEnd` set.
    private let length = Length()

    private final class Length {
        var count: Int?
        var element: ProbeNode?
    }

    var count: Int? { requestedCount }

    var isAtEnd: Bool {
        (try? run.countRequest(codingPath)) == nil || currentIndex >= requestedCount
    }

    mutating func decodeNil() throws -> Bool {
        let element = try element()
        element.isNullable = true
        guard try run.choose(.presence(nil), of: 2, at: element, codingPath) == 1 else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try run.value(type, at: try element(), codingPath + [EnvelopeCodingKey(intValue: currentIndex)])
        advance()
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> { try superDecoder().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let element = try element()
        let path = codingPath + [EnvelopeCodingKey(intValue: currentIndex)]
        advance()
        return ProbeDecoder(run: run, node: element, codingPath: path)
    }

    private static let counts = [1, 0, 2, 3, 4]

    private var requestedCount: Int {
        if let count = length.count { return count }
        if currentIndex == 0 {
            node.requestsCount = true
            let choice = (try? run.choose(.count, of: Self.counts.count, at: node, codingPath)) ?? 1
            length.count = Self.counts[choice]
        } else {
            length.count = currentIndex + ((try? run.choose(.count, of: 2, at: node, codingPath)) ?? 0)
        }
        return length.count ?? 0
    }

    private func element() throws -> ProbeNode {
        try run.countRequest(codingPath)
        if let count = length.count, currentIndex >= count {
            throw DecodingError.valueNotFound(
                Any.self,
                .init(codingPath: codingPath, debugDescription: "The probe has no more elements.")
            )
        }
        if let element = length.element { return element }
        let element = node.addElement()
        length.element = element
        return element
    }

    private mutating func advance() {
        currentIndex += 1
        length.element = nil
    }
}
