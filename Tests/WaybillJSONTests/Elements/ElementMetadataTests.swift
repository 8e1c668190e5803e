import Foundation
import Testing

@testable import WaybillJSON

@Suite("Metadata next to elements")
struct ElementMetadataTests {
    static let document = Array(
        #"{"meta":{"total":2,"links":{"next":"n"}},"data":{"page":1,"items":[1,2],"rest":null},"meta":0,"end":[5,6]}"#
            .utf8
    )

    @Test("Metadata before and after the array of elements is decoded", arguments: [1, 2, 7, 64, Int.max])
    func values(size: Int) throws {
        let reader = WaybillJSONDecoder().elements(
            Int.self,
            at: "data",
            "items",
            keeping: [
                ["meta"], ["meta", "total"], ["data", "page"], ["data", "rest"], ["end", 1], ["none", "x"], ["end", 9],
            ]
        )
        let read = ElementReading(reader, Self.document, by: size)
        #expect(read.elements == [1, 2])
        #expect(try read.reader.metadata(Int.self, at: "meta", "total") == 2)
        #expect(try read.reader.metadata(String.self, at: "meta", "links", "next") == "n")
        #expect(try read.reader.metadata(Int.self, at: "data", "page") == 1)
        #expect(try read.reader.metadata(Int?.self, at: "data", "rest") == nil)
        #expect(try read.reader.metadata(Int.self, at: ["end", 1]) == 6)
    }

    @Test("Metadata next to elements is available once it has been read")
    func early() throws {
        var reader = WaybillJSONDecoder().elements(Int.self, at: "data", keeping: [["meta"], ["end"]])
        #expect(throws: DecodingError.self) { try reader.metadata(Int.self, at: "meta") }
        reader.append(Array(#"{"meta":7,"data":[1"#.utf8))
        #expect(try reader.next() == nil)
        #expect(try reader.metadata(Int.self, at: "meta") == 7)
        #expect(throws: DecodingError.self) { try reader.metadata(Int.self, at: "end") }
    }

    @Test(
        "A metadata error has the path and the location in the document",
        arguments: [1, 5, 64, Int.max]
    )
    func errors(size: Int) throws {
        let reader = WaybillJSONDecoder().elements(
            Int.self,
            at: "data",
            "items",
            keeping: [["meta"], ["data", "rest", "x"], ["none"], ["end", 9]]
        )
        let read = ElementReading(reader, Self.document, by: size).reader
        let mismatch = try #require(throws: DecodingError.self) { try read.metadata(String.self, at: "meta", "total") }
        let diagnosis = try #require(WaybillJSONDecoder.Diagnosis(mismatch))
        #expect(
            diagnosis.description.hasPrefix("meta.total (line 1, column 18): expected a string, found the number 2")
        )
        for (path, text) in [
            (["none"], "keyNotFound"), (["data", "rest", "x"], "valueNotFound"), (["end", 9], "valueNotFound"),
            (["other"], "not kept"), (["meta", "nope"], "keyNotFound"),
        ] as [([EnvelopeKey], String)] {
            let error = try #require(throws: DecodingError.self) { try read.metadata(Int.self, at: path) }
            #expect("\(error)".contains(text) || String(reflecting: error).contains(text), "\(error)")
        }
    }

    @Test(
        "A metadata path that cannot be followed in a streamed document is an error",
        arguments: [
            (["data"], [["data"]]), (["data", "items"], [["data"]]), (["data"], [["data", 0]]), (["data"], [[]]),
            ([-1], []), (["data"], [["meta", -1]]),
        ] as [([EnvelopeKey], [[EnvelopeKey]])]
    )
    func impossible(path: [EnvelopeKey], metadata: [[EnvelopeKey]]) {
        var reader = WaybillJSONDecoder().elements(Int.self, at: path, keeping: metadata)
        reader.append(Array("[]".utf8))
        #expect(throws: DecodingError.self) { try reader.next() }
        #expect(throws: DecodingError.self) { try reader.finish() }
    }
}
