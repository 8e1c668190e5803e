import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Keys in any order")
struct KeyOrderTests {
    private final class Node: Decodable {
        let a: Int
        let b: String
        let c: Double?
        let d: [Int]?
        let next: Node?

        /// The values of this node and of those that follow it.
        var text: String { "\(a) \(b) \(c ?? -1) \(d ?? [])" + (next.map { " > " + $0.text } ?? "") }
    }

    /// Returns a chain of nodes with random key orders, in which optional keys may be missing.
    private static func chain(_ length: Int, using random: inout SplitMix64) -> String {
        var members = [#""a":\#(length)"#, #""b":"b\#(length)""#]
        if Bool.random(using: &random) { members.append(#""c":\#(length).5"#) }
        if Bool.random(using: &random) { members.append(#""d":[1,\#(length)]"#) }
        if Bool.random(using: &random) { members.append(#""other\#(Int.random(in: 0..<3, using: &random))":{}"#) }
        if length > 0 { members.append(#""next":"# + chain(length - 1, using: &random)) }
        return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
    }

    @Test("A recursive type with keys in random order is decoded correctly")
    func recursive() throws {
        var random = SplitMix64(seed: 16)
        for _ in 0..<60 {
            let data = Data(Self.chain(60, using: &random).utf8)
            let expected = try JSONDecoder().decode(Node.self, from: data).text
            #expect(try WaybillJSONDecoder().decode(Node.self, from: data).text == expected)
        }
    }

    @Test("Keys are found in more orders than the decoder remembers")
    func crowded() throws {
        var random = SplitMix64(seed: 99)
        struct Wide: Codable, Equatable {
            var a, b, c, d, e, f, g, h: Int
        }
        let keys = ["a", "b", "c", "d", "e", "f", "g", "h"]
        for _ in 0..<20 {
            let objects = (0..<400).map { number in
                let members = keys.shuffled(using: &random).map { #""\#($0)":\#(number)"# }
                return "{" + members.joined(separator: ",") + "}"
            }
            let data = Data("[\(objects.joined(separator: ","))]".utf8)
            let values = try WaybillJSONDecoder().decode([Wide].self, from: data)
            #expect(values == (0..<400).map { Wide(a: $0, b: $0, c: $0, d: $0, e: $0, f: $0, g: $0, h: $0) })
        }
    }
}
