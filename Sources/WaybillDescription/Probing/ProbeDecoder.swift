/// A decoder that records what an initializer asks for, and gives it values that have been made up.
struct ProbeDecoder: Decoder {
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

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ProbeSingleValueContainer(run: run, node: node, codingPath: codingPath)
    }
}

/// A single value of a run.
struct ProbeSingleValueContainer: SingleValueDecodingContainer {
    let run: ProbeRun
    let node: ProbeNode
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool {
        node.isNullable = true
        return (try? run.choose(.presence(nil), of: 2, at: node, codingPath)) == 1
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try run.value(type, at: node, codingPath, member: nil)
    }
}
