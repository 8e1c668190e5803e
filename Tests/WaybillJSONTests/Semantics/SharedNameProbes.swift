import Testing

/// Cases of keys that have one name, as some have that stand for the same member under an old name and a new one.
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
        // A key that occurs twice, and one that is written otherwise: what such an object has is not learned.
        #"{"x":1,"y":2}"#, #"{"y":2,"x":1}"#, #"{"y":2,"x":1,"y":3}"#, #"{"y":2,"x":1,"x":3}"#, #"{"é":0,"x":1}"#, "{}",
    ]

    static let orders: [[Keys]] = [
        [.old, .new, .old], [.new, .old, .new], [.other, .new, .old], [.new, .other, .old],
    ]

    @Test("are read as Foundation's decoder reads them, whatever was read before", arguments: orders, documents)
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
