/// The elements of an array of a run: as many as the initializer reads, or as a choice says once it asks.
struct ProbeUnkeyedContainer: UnkeyedDecodingContainer {
    let run: ProbeRun
    let node: ProbeNode
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    // A container is copied by its users, and the number of elements is asked for without changing it.
    private let length = Length()

    private final class Length {
        var count: Int?
        var element: ProbeNode?
    }

    init(run: ProbeRun, node: ProbeNode, codingPath: [any CodingKey]) {
        self.run = run
        self.node = node
        self.codingPath = codingPath
    }

    var count: Int? { askedCount }

    var isAtEnd: Bool {
        (try? run.countRequest(codingPath)) == nil || currentIndex >= askedCount
    }

    mutating func decodeNil() throws -> Bool {
        let element = try element()
        element.isNullable = true
        guard try run.choose(.presence(nil), of: 2, at: element, codingPath) == 1 else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try run.value(type, at: try element(), codingPath + [ProbeIndex(currentIndex)], member: nil)
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
        let path = codingPath + [ProbeIndex(currentIndex)]
        advance()
        return ProbeDecoder(run: run, node: element, codingPath: path)
    }

    private static let counts = [1, 0, 2, 3, 4]

    private var askedCount: Int {
        if let count = length.count { return count }
        if currentIndex == 0 {
            node.asksForCount = true
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

/// The index of an element in a coding path.
struct ProbeIndex: CodingKey {
    let intValue: Int?

    init(_ index: Int) { intValue = index }

    init?(intValue: Int) { self.init(intValue) }

    init?(stringValue: String) { nil }

    var stringValue: String { "Index \(intValue ?? 0)" }
}
