import Foundation
import Testing
import WaybillJSON

@Suite("Depth")
struct DepthTests {
    typealias Ignored = Surroundings.Ignored

    /// Ways to nest: what opens a level, and what closes it.
    static let nestings = [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":[0,"#, "]}]"), (#"{"a":1,"b":["#, "]}")]

    static func levels(_ nesting: (String, String)) -> Int { nesting.0.count { $0 == "[" || $0 == "{" } }

    /// As many levels as asked for, or the fewest more that the nesting can do.
    static func document(_ nesting: (String, String), depth: Int) -> Data {
        let count = depth / levels(nesting)
        let rest = depth % levels(nesting)
        return Data(
            (String(repeating: nesting.0, count: count) + String(repeating: "[", count: rest) + "1"
                + String(repeating: "]", count: rest) + String(repeating: nesting.1, count: count)).utf8
        )
    }

    static func read(_ depth: Int? = nil) -> (Data) throws -> Void {
        { data in
            let decoder = depth.map(WaybillJSONDecoder.init(maximumDepth:)) ?? WaybillJSONDecoder()
            _ = try decoder.decode(Ignored.self, from: data)
        }
    }

    @Test("512 levels are accepted and 513 are not", arguments: nestings)
    func defaultDepth(open: String, close: String) {
        expectAccepted(Self.document((open, close), depth: 511), Self.read())
        expectAccepted(Self.document((open, close), depth: 512), Self.read())
        expectRefused(Self.document((open, close), depth: 513), Self.read())
        expectRefused(Self.document((open, close), depth: 514), Self.read())
    }

    @Test("the depth can be set", arguments: [1, 2, 3, 16, 63, 64, 65, 511, 513, 2000])
    func setDepth(depth: Int) {
        for nesting in Self.nestings {
            expectAccepted(Self.document(nesting, depth: depth), Self.read(depth))
            expectRefused(Self.document(nesting, depth: depth + 1), Self.read(depth))
        }
    }

    @Test("what is not read counts as well")
    func unread() {
        let deep = String(decoding: Self.document(("[", "]"), depth: 600), as: UTF8.self)
        expectRefused(Data(#"{"v":1,"unread":\#(deep)}"#.utf8)) {
            _ = try WaybillJSONDecoder().decode(Surroundings.OneMember.self, from: $0)
        }
    }

    @Test("siblings do not add up")
    func siblings() {
        expectAccepted(
            Data(("[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]").utf8),
            Self.read()
        )
        expectAccepted(
            Data(("[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]").utf8),
            Self.read(3)
        )
    }

    @Test("a value of its own has no depth")
    func scalars() {
        expectAccepted(Data("1".utf8), Self.read(0))
        expectRefused(Data("[]".utf8), Self.read(0))
        expectRefused(Data("{}".utf8), Self.read(0))
    }

    @Test("a million levels are refused", arguments: ["[", #"{"a":"#, "[[{\"a\":", "{\"a\":[1,"])
    func million(open: String) {
        let opened = String(repeating: open, count: 1_000_000)
        expectRefused(Data(opened.utf8), Self.read())
        expectRefused(Data(opened.utf8)) { _ = try WaybillJSONDecoder().decode(AnyJSON.self, from: $0) }
    }

    @Test("a million levels that are closed are refused")
    func millionClosed() {
        expectRefused(Self.document(("[", "]"), depth: 1_000_000), Self.read())
        expectRefused(Self.document((#"{"a":"#, "}"), depth: 1_000_000), Self.read())
    }

    @Test("512 levels can be read")
    func readAll() throws {
        /// A list of lists, counted on the way.
        struct Nested: Decodable {
            let depth: Int

            init(from decoder: any Decoder) throws {
                guard var container = try? decoder.unkeyedContainer() else {
                    depth = 0
                    return
                }
                depth = 1 + (try container.decode(Nested.self).depth)
            }
        }
        let document = Self.document(("[", "]"), depth: 512)
        #expect(try WaybillJSONDecoder().decode(Nested.self, from: document).depth == 512)
    }
}
