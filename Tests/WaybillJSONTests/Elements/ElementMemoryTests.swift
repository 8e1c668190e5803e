import Foundation
import TestSupport
import Testing

@testable import WaybillJSON

@Suite("Memory used by elements")
struct ElementMemoryTests {
    @Test("Reading elements of a large document buffers no more than an element and a chunk", arguments: [1000, 65536])
    func bound(size: Int) throws {
        let element = #"{"name":"\#(String(repeating: "é", count: 700))","values":[1,2,3]}"#
        let noise = #"[{"x":"\#(String(repeating: "ab\\n", count: 100_000))"},-1.5e9]"#
        var document = Data(#"{"noise":\#(noise),"data":[\#(element)"#.utf8)
        for _ in 0..<600 { document.append(Data(",\n\(element)".utf8)) }
        document.append(Data(#"],"more":\#(noise)}"#.utf8))
        let read = ElementReading(WaybillJSONDecoder().elements(AnyJSON.self, at: "data"), document, by: size)
        #expect(read.error == nil)
        #expect(read.elements.count == 601)
        // The last bytes before the chunk are kept for excerpts in errors.
        #expect(read.heldByteCount <= element.utf8.count + size + 1024)
    }

    @Test("An element is decoded before the document ends")
    func early() throws {
        var reader = WaybillJSONDecoder().elements(Int.self, at: "data")
        reader.append(Array(#"{"data":[1,2"#.utf8))
        #expect(try reader.next() == 1)
        #expect(try reader.next() == nil)
        reader.append(Array(",".utf8))
        #expect(try reader.next() == 2)
        reader.append(Array("3".utf8))
        #expect(try reader.next() == nil)
        reader.append(Array("4]".utf8))
        #expect(try reader.next() == 34)
        #expect(throws: DecodingError.self) { try reader.finish() }
    }

    @Test("Pending chunks are read in order")
    func waiting() throws {
        var reader = WaybillJSONDecoder().elements(Int.self)
        for chunk in ["", "[1", "0,", "2,3", "", "0]"] { reader.append(Array(chunk.utf8)) }
        var elements: [Int] = []
        while let element = try reader.next() { elements.append(element) }
        #expect(elements == [10, 2, 30])
        try reader.finish()
    }

    @Test(
        "A long string or number in an element can be split at any byte",
        arguments: Thoroughness.some([1, 7, 1000, 4099], oneIn: 2)
    )
    func long(size: Int) throws {
        let string = String(repeating: "ab\\\\é\\ud83d\\ude00", count: Thoroughness.repetitions(5000, otherwise: 1200))
        let digits = "0." + String(repeating: "7", count: Thoroughness.repetitions(50_000, otherwise: 10_000))
        let document = Array("[\"\(string)\",\(digits),\"\(string)\"]".utf8)
        let whole = try WaybillJSONDecoder().decode([AnyJSON].self, from: Data(document))
        let read = ElementReading(WaybillJSONDecoder().elements(AnyJSON.self), document, by: size)
        #expect(read.elements == whole)
        #expect(read.error == nil)
    }

    @Test("The rest of a document is validated when element reading stops early")
    func stopping() throws {
        var reader = WaybillJSONDecoder().elements(Int.self, at: "data")
        reader.append(Array(#"{"data":[1,2,"3",4],"meta":{}}"#.utf8))
        #expect(try reader.next() == 1)
        try reader.finish()
        var cut = WaybillJSONDecoder().elements(Int.self, at: "data")
        cut.append(Array(#"{"data":[1,2,03]}"#.utf8))
        #expect(try cut.next() == 1)
        #expect(throws: DecodingError.self) { try cut.finish() }
    }

    @Test("A copy of an element reader continues independently")
    func copies() throws {
        var first = WaybillJSONDecoder().elements(Int.self)
        first.append(Array("[1,2".utf8))
        #expect(try first.next() == 1)
        var second = first
        first.append(Array("0]".utf8))
        second.append(Array("1,3]".utf8))
        #expect(try first.next() == 20)
        #expect(try second.next() == 21)
        #expect(try first.next() == nil)
        #expect(try second.next() == 3)
    }
}
