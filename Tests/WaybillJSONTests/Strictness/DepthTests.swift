import Foundation
import Testing
import WaybillJSON

@Suite("Depth")
struct DepthTests {
    typealias Ignored = Surroundings.Ignored

    /// The text that opens and closes one level, for each kind of nesting.
    static let nestings = [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":[0,"#, "]}]"), (#"{"a":1,"b":["#, "]}")]

    static func levels(_ nesting: (String, String)) -> Int { nesting.0.count { $0 == "[" || $0 == "{" } }

    /// Returns a document with `depth` levels.
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

    @Test("A document with 512 levels is accepted, and one with 513 rejected", arguments: nestings)
    func defaultDepth(open: String, close: String) {
        expectAccepted(Self.document((open, close), depth: 511), Self.read())
        expectAccepted(Self.document((open, close), depth: 512), Self.read())
        expectRejected(Self.document((open, close), depth: 513), Self.read())
        expectRejected(Self.document((open, close), depth: 514), Self.read())
    }

    @Test("The maximum depth of a document can be set", arguments: [1, 2, 3, 16, 63, 64, 65, 511, 513, 2000])
    func setDepth(depth: Int) {
        for nesting in Self.nestings {
            expectAccepted(Self.document(nesting, depth: depth), Self.read(depth))
            expectRejected(Self.document(nesting, depth: depth + 1), Self.read(depth))
        }
    }

    @Test("Levels in a skipped member count toward the depth")
    func unread() {
        let deep = String(decoding: Self.document(("[", "]"), depth: 600), as: UTF8.self)
        expectRejected(Data(#"{"v":1,"unread":\#(deep)}"#.utf8)) {
            _ = try WaybillJSONDecoder().decode(Surroundings.OneMember.self, from: $0)
        }
    }

    @Test("The depths of siblings are not added up")
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

    @Test("A document that consists of a scalar has depth zero")
    func scalars() {
        expectAccepted(Data("1".utf8), Self.read(0))
        expectRejected(Data("[]".utf8), Self.read(0))
        expectRejected(Data("{}".utf8), Self.read(0))
    }

    @Test("A million unclosed levels are rejected", arguments: ["[", #"{"a":"#, "[[{\"a\":", "{\"a\":[1,"])
    func million(open: String) {
        let opened = String(repeating: open, count: 1_000_000)
        expectRejected(Data(opened.utf8), Self.read())
        expectRejected(Data(opened.utf8)) { _ = try WaybillJSONDecoder().decode(AnyJSON.self, from: $0) }
    }

    @Test("A million balanced levels are rejected")
    func millionClosed() {
        expectRejected(Self.document(("[", "]"), depth: 1_000_000), Self.read())
        expectRejected(Self.document((#"{"a":"#, "}"), depth: 1_000_000), Self.read())
    }

    @Test("A document with 512 levels is decoded")
    func readAll() throws {
        /// A list of lists that counts its levels.
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
