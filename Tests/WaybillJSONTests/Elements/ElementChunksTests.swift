import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Elements of a chunked document")
struct ElementChunksTests {
    static let sizes = [1, 2, 3, 7, 64, Int.max]
    static let path: [EnvelopeKey] = ["data", "items"]

    static let documents = [
        #"{"data":{"items":[]}}"#,
        #"{"data":{"items":[1,-0,12.5e+3,0.1E-2,1e5, 340282366920938463463374607431768211456 ]}}"#,
        #"{"data":{"items":[true,false,null,"",[],{},[[]],[{}],{"a":[]}]}}"#,
        "\u{FEFF}{\"data\" : {\"items\" : [\r\n \"a\\u0041\\ud83d\\ude00\\n\\\"\", \"é\u{0301}ß漢字👩‍👩‍👧\" ] } }\r\n",
        #"{"before":{"items":[0],"data":{"items":[0]}},"data":{"x":[1,{"items":[9]}],"items":[{"a":1,"b":"x"}],"y":0},"z":""}"#,
        #"{"data":{"items":[1],"items":[2]},"data":{"items":[3]},"data":4}"#,
        #"{"d\u0061ta":{"\u0069tems":[1,2]}}"#,
        #"{"data":{"items":["\\","\"","\/","{[,:]}"],"k\"ey":"\\\\"}}"#,
    ]

    @Test(
        "Elements from chunks of any size equal those of the complete document",
        arguments: Thoroughness.some(documents, oneIn: 3),
        sizes
    )
    func chunks(document: String, size: Int) throws {
        let bytes = Array(document.utf8)
        let whole = try WaybillJSONDecoder().decode([AnyJSON].self, from: Data(bytes), at: Self.path)
        let read = ElementReading(WaybillJSONDecoder().elements(AnyJSON.self, at: Self.path), bytes, by: size)
        #expect(read.error == nil)
        #expect(read.elements == whole)
        for end in bytes.indices {
            let cut = bytes[..<end]
            let read = ElementReading(WaybillJSONDecoder().elements(AnyJSON.self, at: Self.path), cut, by: size)
            let isWhole = WaybillJSONDecoder().whole(AnyJSON.self, cut, at: Self.path).elements != nil
            #expect((read.error == nil) == isWhole, "cut at \(end)")
            #expect(whole.starts(with: read.elements))
        }
    }

    @Test(
        "Elements of a document split at any byte equal those of the complete document",
        arguments: documents
    )
    func halves(document: String) throws {
        let bytes = Array(document.utf8)
        let whole = try WaybillJSONDecoder().decode([AnyJSON].self, from: Data(bytes), at: Self.path)
        for cut in bytes.indices {
            var reader = WaybillJSONDecoder().elements(AnyJSON.self, at: Self.path)
            var elements: [AnyJSON] = []
            for part in [bytes[..<cut], bytes[cut...]] {
                reader.append(part)
                while let element = try reader.next() { elements.append(element) }
            }
            try reader.finish()
            #expect(elements == whole)
        }
    }

    @Test("Elements of a document without an envelope are decoded from chunks of any size", arguments: sizes)
    func topLevel(size: Int) {
        let read = ElementReading(WaybillJSONDecoder().elements(Int.self), Array(" [1, 23,456 ] ".utf8), by: size)
        #expect(read.error == nil)
        #expect(read.elements == [1, 23, 456])
    }

    @Test("Elements at a path through arrays are decoded from chunks of any size", arguments: sizes)
    func places(size: Int) {
        let reader = WaybillJSONDecoder().elements(Int.self, at: 1, "a", 0)
        let read = ElementReading(reader, Array(#"[[[7]],{"b":[[8]],"a":[[1,2],[3]]},{"a":[[9]]}]"#.utf8), by: size)
        #expect(read.error == nil)
        #expect(read.elements == [1, 2])
    }

    @Test("Keys on the path to elements match in any escaped or normalized form", arguments: sizes)
    func spelling(size: Int) {
        let reader = WaybillJSONDecoder().elements(Int.self, at: "caf\u{E9}")
        for document in ["{\"cafe\u{301}\":[1]}", #"{"caf\u00e9":[1]}"#, #"{"\u0063af\u00E9":[1],"café":[2]}"#] {
            #expect(ElementReading(reader, Array(document.utf8), by: size).elements == [1], "\(document)")
        }
    }

    @Test(
        "A complete document in UTF-16 or UTF-32 is decoded, and chunks of one are rejected",
        arguments: [String.Encoding.utf16, .utf32, .utf16BigEndian]
    )
    func encodings(encoding: String.Encoding) throws {
        let data = try #require(#"{"data":{"items":["é"]}}"#.data(using: encoding))
        var elements = WaybillJSONDecoder().elements(String.self, from: data, at: Self.path)
        #expect(try elements.next() == "é")
        #expect(try elements.next() == nil)
        let read = ElementReading(WaybillJSONDecoder().elements(String.self, at: Self.path), data, by: 1)
        #expect("\(String(describing: read.error))".contains("UTF-16 or UTF-32, which cannot be read in chunks"))
    }
}
