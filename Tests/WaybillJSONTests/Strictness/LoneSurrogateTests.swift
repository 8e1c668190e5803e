import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Lone surrogates")
struct LoneSurrogateTests {
    private struct Post: Decodable, Equatable {
        var id: Int
        var text: String?
    }

    private static let rejecting = WaybillJSONDecoder()

    private static var replacing: WaybillJSONDecoder {
        var decoder = WaybillJSONDecoder()
        decoder.loneSurrogateDecodingStrategy = .replace
        return decoder
    }

    /// All offsets in a thorough run, otherwise those around block boundaries.
    private static let offsets = StringTests.offsets.filter { (before, after) in
        Thoroughness.isWhole || ([0, 7, 8, 15, 16, 31, 32].contains(before) && [0, 20].contains(after))
    }

    @Test("A lone surrogate at any offset is an error only when the string is read, and can be replaced")
    func everyOffset() throws {
        for (piece, meaning) in Documents.loneSurrogates {
            for (before, after) in Self.offsets {
                let quoted = Documents.quoted(StringTests.string(piece, before, after))
                let expected = String(repeating: "x", count: before) + meaning + String(repeating: "y", count: after)
                for document in StringTests.documents(StringTests.string(piece, before, after)) {
                    expectAccepted(document) {
                        _ = try Self.rejecting.decode(Surroundings.Ignored.self, from: $0)
                    }
                }
                #expect(throws: DecodingError.self) { try Self.rejecting.decode(String.self, from: Data(quoted)) }
                let value = try Self.replacing.decode(String.self, from: Data(quoted))
                #expect(Array(value.utf8) == Array(expected.utf8))
                let object = Data([0x7B] + quoted + Array(":1}".utf8))
                #expect(throws: DecodingError.self) { try Self.rejecting.decode([String: Int].self, from: object) }
                let keys = try Self.replacing.decode([String: Int].self, from: object).keys
                #expect(keys.map { Array($0.utf8) } == [Array(expected.utf8)])
            }
        }
    }

    @Test("A long string that ends in a lone surrogate is decoded in full")
    func longStrings() throws {
        for length in [255, 4096, 65_536, 300_000] {
            let text = String(repeating: "x", count: length)
            #expect(try Self.replacing.decode(String.self, from: Data("\"\(text)\\ud83d\"".utf8)) == text + "\u{FFFD}")
        }
    }

    @Test(
        "A lone surrogate in a member that is not read is not an error",
        arguments: [
            #"{"id":1,"other":"cut \ud83d"}"#, #"{"other":"\udc00","id":1}"#,
            #"{"id":1,"other":["\ud83d",{"a":"\ud83d"}]}"#,
            #"{"cut \ud83d":1,"id":1}"#, #"{"id":1,"\ud83d":{"\ud83e":2}}"#,
        ]
    )
    func unread(json: String) throws {
        let data = Data(json.utf8)
        #expect(try Self.rejecting.decode(Post.self, from: data) == Post(id: 1))
        #expect(try Self.rejecting.decode([Post].self, from: Data("[\(json)]".utf8)) == [Post(id: 1)])
        #expect(try Self.rejecting.decode(Int.self, from: data, at: "id") == 1)
        var snake = WaybillJSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try snake.decode(Post.self, from: data) == Post(id: 1))
        for size in 1...json.utf8.count {
            let bytes = Array("[\(json)]".utf8)
            #expect(ElementReading(Self.rejecting.elements(Post.self), bytes, by: size).elements == [Post(id: 1)])
        }
    }

    static let readers: [@Sendable (WaybillJSONDecoder, Data) throws -> Void] = [
        { _ = try $0.decode([Post].self, from: $1) }, { _ = try $0.decode(JSONValue.self, from: $1) },
        { _ = try $0.decode([[String: JSONValue]].self, from: $1) }, { _ = try $0.decode([AnyJSON].self, from: $1) },
    ]

    @Test("A lone surrogate error names its location and the option that replaces it", arguments: readers.indices)
    func error(reader: Int) throws {
        let data = Data(#"[{"id":1},{"id":2,"text":"cut \ud83d"}]"#.utf8)
        let error = try #require(throws: DecodingError.self) { try Self.readers[reader](Self.rejecting, data) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(CodingPathText.text(of: context.codingPath) == "[1].text")
        #expect(
            WaybillJSONDecoder.Diagnosis(error)?.description == #"""
                [1].text (line 1, column 26): cannot decode the string "cut \ud83d": The string has a lone surrogate, half of a character; Decode(loneSurrogates: .replace), or the decoder's loneSurrogateDecodingStrategy, reads it as U+FFFD
                    [{"id":1},{"id":2,"text":"cut \ud83d"}]
                                             ^~~~~~~~~~~~
                """#
        )
        #expect(throws: Never.self) { try Self.readers[reader](Self.replacing, data) }
    }

    @Test("A lone surrogate in a key that is read throws an error with its location, unless surrogates are replaced")
    func keys() throws {
        let data = Data(#"{"a":1,"b\ud83d":2}"#.utf8)
        let types: [any Decodable.Type] = [[String: Int].self, JSONValue.self, AnyJSON.self]
        for type in types {
            let error = try #require(throws: DecodingError.self) { try Self.rejecting.decode(type, from: data) }
            guard case .dataCorrupted(let context) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(context.codingPath.map(\.stringValue) == ["b\u{FFFD}"])
            #expect(context.debugDescription.hasPrefix("The key has a lone surrogate, half of a character; "))
            #expect(WaybillJSONDecoder.Diagnosis(error)?.column == 18)
        }
        #expect(try Self.replacing.decode([String: Int].self, from: data) == ["a": 1, "b\u{FFFD}": 2])
        #expect(try Self.replacing.decode(JSONValue.self, from: data) == ["a": 1, "b\u{FFFD}": 2])
    }

    @Test("A lone surrogate invalidates only its element, in arrays and in chunks")
    func elements() throws {
        let items = [#"{"id":1,"text":"a"}"#, #"{"id":2,"text":"cut \ud83d"}"#, #"{"id":3,"text":"b"}"#]
        let list = try Self.rejecting.decodeLossy([Post].self, from: Data("[\(items.joined(separator: ","))]".utf8))
        #expect(list.elements.map(\.id) == [1, 3])
        #expect(list.dropped.map(\.index) == [1])
        let property = try Self.rejecting.decode(
            LossyArray<Post>.self,
            from: Data("[\(items.joined(separator: ","))]".utf8)
        )
        #expect(property.elements.map(\.id) == [1, 3])
        for size in [1, 2, 7, 1000] {
            var reader = Self.rejecting.elements(Post.self)
            var (read, failed): ([Int], [Int]) = ([], [])
            var rest = Data("[\(items.joined(separator: ","))]".utf8)
            while !rest.isEmpty {
                reader.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let result = try reader.nextResult() {
                    switch result {
                    case .success(let post): read.append(post.id)
                    case .failure(let item): failed.append(item.index)
                    }
                }
            }
            try reader.finish()
            #expect(read == [1, 3])
            #expect(failed == [1])
        }
    }

    @Test("A malformed document is rejected even if lone surrogates are replaced")
    func malformed() {
        for json in [#"["\ud83"]"#, #"["\ud83d\u"]"#, #"["\ud83d\q"]"#, #"["\ud83d]"#, #"["\ud83d",]"#] {
            #expect(throws: DecodingError.self) {
                try Self.replacing.decode(Surroundings.Ignored.self, from: Data(json.utf8))
            }
        }
    }

    @Test("Containers kept after the call use the call's strategy for lone surrogates")
    func kept() throws {
        struct Kept: Decodable {
            let container: KeyedDecodingContainer<AnyKey>
            init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnyKey.self) }
        }
        let data = Data(#"{"a":"\ud83d","b\ud83d":"c"}"#.utf8)
        let rejected = try Self.rejecting.decode(Kept.self, from: data).container
        for key in rejected.allKeys {
            #expect(throws: DecodingError.self) { try rejected.decode(String.self, forKey: key) }
        }
        let replaced = try Self.replacing.decode(Kept.self, from: data).container
        #expect(try replaced.allKeys.map { try replaced.decode(String.self, forKey: $0) } == ["\u{FFFD}", "c"])
    }
}
