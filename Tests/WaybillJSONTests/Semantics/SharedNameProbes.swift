import Testing

/// Key types in which several cases share a name, such as an old and a new case for one member.
@Suite("Coding keys that share a name")
struct SharedNameProbes {
    enum Keys: CodingKey {
        case old, new, other

        var stringValue: String { self == .other ? "y" : "x" }
        var intValue: Int? { nil }
        init?(stringValue: String) { self = stringValue == "x" ? .old : .other }
        init?(intValue: Int) { nil }
    }

    static let documents = [
        // A repeated key, and one in another spelling: the keys of such objects are not remembered.
        #"{"x":1,"y":2}"#, #"{"y":2,"x":1}"#, #"{"y":2,"x":1,"y":3}"#, #"{"y":2,"x":1,"x":3}"#, #"{"é":0,"x":1}"#, "{}",
    ]

    static let orders: [[Keys]] = [
        [.old, .new, .old], [.new, .old, .new], [.other, .new, .old], [.new, .other, .old],
    ]

    @Test("Decoding with coding keys that share a name matches Foundation's decoder", arguments: orders, documents)
    func agree(order: [Keys], document: String) {
        for _ in 0..<4 {
            Probe("\(order) of \(document)", document) { decoder, log in
                let container = try decoder.container(keyedBy: Keys.self)
                for key in order {
                    log.note(container.contains(key))
                    log.attempt { try container.decodeIfPresent(Int.self, forKey: key) }
                }
            }
            .check()
        }
    }
}
