import Foundation
import Testing
import WaybillBenchmarking

@Suite("Differences between results")
struct ResultDifferenceTests {
    struct Pair: @unchecked Sendable, CustomTestStringConvertible {  // the values are never changed
        let testDescription: String
        let first: Any
        let second: Any
        let text: String?

        init(_ testDescription: String, _ first: Any, _ second: Any, _ text: String?) {
            self.testDescription = testDescription
            self.first = first
            self.second = second
            self.text = text
        }
    }

    private struct Lamp {
        var name = "Lamp"
        var price: Double? = 1.5
        var tags: Set<String> = ["a", "b"]
        var parts: [String: Part] = [:]
        var token: String?
    }

    private struct Part {
        var sizes: [Int]
        var finish = Finish.plain
    }

    private enum Finish {
        case plain, shiny
        case painted(String)
    }

    private final class Node {
        let name: String
        var other: Node?

        init(_ name: String) { self.name = name }

        static func pair(_ name: String, _ otherName: String) -> Node {
            let (node, other) = (Node(name), Node(otherName))
            node.other = other
            other.other = node
            return node
        }
    }

    private struct Opaque: Equatable {
        let id: Int
        static func == (left: Opaque, right: Opaque) -> Bool { false }
    }

    static let pairs = [
        Pair("equal values", [1, 2], [1, 2], nil),
        Pair("equal members of a type that is not Equatable", Lamp(), Lamp(), nil),
        Pair("texts", "a", "b", "\"a\" \"b\""),
        Pair("elements", [1, 2, 3], [1, 5, 3], "[1]: 2 5"),
        Pair("lengths", [1, 2], [1], "2 elements 1 elements"),
        Pair("members", Lamp(), Lamp(name: "Rug"), "name: \"Lamp\" \"Rug\""),
        Pair("a missing optional", Lamp(), Lamp(price: nil), "price: 1.5 nil"),
        Pair("optionals", Lamp(), Lamp(price: 2), "price: 1.5 2.0"),
        Pair("sets", Lamp(), Lamp(tags: ["c", "a"]), "tags: \"a\", \"b\" \"a\", \"c\""),
        Pair("secrets", Lamp(token: "5ecret"), Lamp(token: "0ther"), "token: ‹redacted› ‹redacted›"),
        Pair("entries", part(sizes: [1]), part(sizes: [2]), "parts.base.sizes[0]: 1 2"),
        Pair("cases", part(.plain), part(.shiny), "parts.base.finish: plain shiny"),
        Pair("payloads", part(.painted("red")), part(.painted("blue")), "parts.base.finish: \"red\" \"blue\""),
        Pair(
            "cases with and without a payload",
            part(.plain),
            part(.painted("red")),
            #"parts.base.finish: plain painted("red")"#
        ),
        Pair(
            "dates",
            Date(timeIntervalSince1970: 0),
            Date(timeIntervalSince1970: 1),
            "1970-01-01 00:00:00 +0000 1970-01-01 00:00:01 +0000"
        ),
        Pair("types that print the same", 1, UInt8(1), "1 (Int) 1 (UInt8)"),
        Pair("objects that refer to each other", Node.pair("a", "b"), Node.pair("a", "b"), nil),
        Pair("objects that refer to others", Node.pair("a", "b"), Node.pair("a", "c"), "other.name: \"b\" \"c\""),
        Pair(
            "an equality of the type's own",
            Opaque(id: 1),
            Opaque(id: 1),
            "Opaque(id: 1) (Opaque) Opaque(id: 1) (Opaque)"
        ),
    ]

    private static func part(_ finish: Finish = .plain, sizes: [Int] = []) -> Lamp {
        Lamp(parts: ["base": Part(sizes: sizes, finish: finish)])
    }

    @Test("The first difference between two values has its path and both values", arguments: pairs)
    func difference(_ pair: Pair) {
        let difference = ResultDifference(pair.first, pair.second).map {
            ($0.path.isEmpty ? "" : "\($0.path): ") + "\($0.first) \($0.second)"
        }
        #expect(difference == pair.text)
    }

    @Test("An entry in only one dictionary is a difference")
    func entries() throws {
        let difference = try #require(ResultDifference(["a": 1, "b": 2], ["a": 1, "c": 2]))
        #expect(difference.text("first", "second") == "  at b\n  first: 2\n  second: no value")
    }

    @Test("Long texts are shown from shortly before their first difference")
    func longTexts() throws {
        let start = String(repeating: "x", count: 1_000)
        let difference = try #require(ResultDifference(start + "a", start + "b"))
        #expect(difference.first.hasPrefix("…xxx") && difference.first.hasSuffix("xa\""))
        #expect(difference.second.hasSuffix("xb\""))
        #expect(difference.first.count < 100)
    }
}
