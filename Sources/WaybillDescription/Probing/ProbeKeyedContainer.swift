/// The members of an object of a run: each one that is asked for is there, unless a choice has it absent.
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
        return try run.value(type, at: member.node, codingPath + [key], member: member)
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
            let member = member(named: "super", "super", nil)
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
            .init(codingPath: codingPath, debugDescription: "The probe leaves the member out.")
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
        if node.syntheticKeys.contains(key.stringValue) { return member(named: key.stringValue, key.stringValue, nil) }
        let (name, problem) = run.probe.conventions.documentKey(of: key, behind: codingPath)
        return member(named: key.stringValue, name, problem)
    }

    private func member(named key: String, _ documentKey: String, _ problem: String?) -> ProbeNode.Member {
        if let member = node.member(key) { return member }
        let member = ProbeNode.Member(documentKey: documentKey, keyProblem: problem)
        node.add(member, for: key)
        return member
    }
}
