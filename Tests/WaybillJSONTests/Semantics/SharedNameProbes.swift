import Testing

/// Several cases of a key type with the same name, such as an old and a new case for one member.
@Suite("Cases that share a name")
struct SharedNameProbes {
    enum Keys: CodingKey {
        case old, new, other

        var stringValue: String { self == .other ? "y" : "x" }
        var intValue: Int? { nil }
        init?(stringValue: String) { self = stringValue == "x" ? .old : .other }
        init?(intValue: Int) { nil }
    }

    static let documents = [
        // A key that occurs twice, and one with another spelling: the keys of such an object are not remembered.
        #"{"x":1,"y":2}"#, #"{"y":2,"x":1}"#, #"{"y":2,"x":1,"y":3}"#, #"{"y":2,"x":1,"x":3}"#, #"{"é":0,"x":1}"#, "{}",
    ]

    static let orders: [[Keys]] = [
        [.old, .new, .old], [.new, .old, .new], [.other, .new, .old], [.new, .other, .old],
    ]

    @Test("Cases that share a name are decoded as by Foundation's decoder, in any order", arguments: orders, documents)
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
