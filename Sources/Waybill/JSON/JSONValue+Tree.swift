import WaybillJSON

extension JSONValue {
    /// Reads a value, whatever lies in it.
    ///
    /// - Parameter depth: How many arrays and objects it lies in.
    init(_ reader: inout JSONTreeReader, depth: Int) throws {
        switch try reader.next() {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .decimal(let value): self = .number(value)
        case .double(let value): self.init(value)
        case .string(let value): self = .string(value)
        case .array(let count): self = .array(try Self.elements(&reader, count, depth))
        case .object(let count): self = .object(try Self.members(&reader, count, depth))
        }
    }

    private static func elements(
        _ reader: inout JSONTreeReader,
        _ count: Int,
        _ depth: Int
    ) throws -> [JSONValue] {
        guard depth < maximumDepth else { throw reader.refusal(tooDeep) }
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        while !reader.leave() { elements.append(try JSONValue(&reader, depth: depth + 1)) }
        return elements
    }

    private static func members(
        _ reader: inout JSONTreeReader,
        _ count: Int,
        _ depth: Int
    ) throws -> [String: JSONValue] {
        guard depth < maximumDepth else { throw reader.refusal(tooDeep) }
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
