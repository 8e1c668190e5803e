/// The outcome of one item of a batch: its value, or the problem that the server gives for it.
package enum ItemOutcome<Value: Decodable & Sendable>: Decodable, Sendable {
    case value(Value)
    case problem(any Sendable)

    package init(from decoder: any Decoder) throws {
        let item = Extraction.current.item
        if let problem = try item?.problem?.decode(decoder) {
            self = .problem(problem)
        } else {
            self = .value(try DocumentWalker(path: item?.path ?? []).decode(Value.self, from: decoder))
        }
    }
}
