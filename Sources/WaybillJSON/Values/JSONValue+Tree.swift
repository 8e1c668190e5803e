extension JSONValue {
    /// Reads a value of any kind.
    ///
    /// - Parameters:
    ///   - reader: the reader, at the value.
    ///   - depth: the number of arrays and objects around the value.
    /// - Throws: the reader's error, also for a value that is nested too deep.
    init(_ reader: inout JSONTreeReader, depth: Int) throws {
        switch try reader.next() {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .decimal(let value): self = .number(value)
        case .double(let value): self.init(value)
        case .string(let value): self = .string(value)
        case .array(let count): self = .array(try Self.elements(&reader, count: count, depth: depth))
        case .object(let count): self = .object(try Self.members(&reader, count: count, depth: depth))
        }
    }

    private static func elements(
        _ reader: inout JSONTreeReader,
        count: Int,
        depth: Int
    ) throws -> [JSONValue] {
        guard depth < maximumDepth else { throw reader.rejection(tooDeep) }
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        while !reader.leave() { elements.append(try JSONValue(&reader, depth: depth + 1)) }
        return elements
    }

    private static func members(
        _ reader: inout JSONTreeReader,
        count: Int,
        depth: Int
    ) throws -> [String: JSONValue] {
        guard depth < maximumDepth else { throw reader.rejection(tooDeep) }
        var members: [String: JSONValue] = [:]
        members.reserveCapacity(count)
        while !reader.leave() {
            let key = reader.nextKey()
            // The first of several members with one name counts.
            if let earlier = members.updateValue(try JSONValue(&reader, depth: depth + 1), forKey: key) {
                members[key] = earlier
            }
        }
        return members
    }
}
