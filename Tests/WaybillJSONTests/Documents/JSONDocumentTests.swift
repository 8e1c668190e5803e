import Foundation
import Testing
import WaybillJSON

@Suite("WaybillJSONDecoder.Document")
struct JSONDocumentTests {
    struct Product: Codable, Equatable { let id: Int }
    struct Meta: Codable, Equatable { let total: Int }

    private let data = Data(
        #"{"data":{"items":[{"id":1},{"id":2}],"first":null},"meta":{"total":9},"é":1,"esc\u0061ped":2}"#.utf8
    )

    private func read<Value>(_ body: (WaybillJSONDecoder.Document) throws -> Value) throws -> Value {
        try WaybillJSONDecoder().withDocument(data, body)
    }

    @Test("Several values can be decoded from one document")
    func values() throws {
        let (products, last, total, whole) = try read { document in
            (
                try document.decode([Product].self, at: "data", "items"),
                try document.decode(Product.self, at: "data", "items", -1),
                try document.decodeIfPresent(Int.self, at: "meta", "total"),
                try document.decode([String: AnyJSON].self).count
            )
        }
        #expect(products == [Product(id: 1), Product(id: 2)])
        #expect(last == Product(id: 2))
        #expect(total == 9)
        #expect(whole == 4)
        #expect(try read { try $0.decode(Int.self, at: "é") } == 1)
        #expect(try read { try $0.decode(Int.self, at: "escaped") } == 2)
    }

    @Test(
        "A path to null or to a missing value yields nil",
        arguments: [
            ["meta", "next"], ["meta", 0], ["data", "items", 2], ["data", "items", -3], ["data", "first"],
            ["data", "first", "id"], ["é", "x"], ["Meta"],
        ] as [[EnvelopeKey]]
    )
    func nothing(path: [EnvelopeKey]) throws {
        #expect(try read { try $0.decodeIfPresent(Int.self, at: path) } == nil)
        #expect(try read { $0.contains(path) } == false)
        #expect(throws: DecodingError.self) { try read { try $0.decode(Int.self, at: path) } }
    }

    @Test("Decoding a value of another type throws an error, even if it may be absent")
    func mismatch() throws {
        #expect(throws: DecodingError.self) { try read { try $0.decodeIfPresent(Int.self, at: "meta") } }
        #expect(try read { $0.contains("meta", "total") })
    }

    @Test("The element count of an array is its length, and that of other values is nil")
    func elementCount() throws {
        #expect(try read { $0.elementCount(at: "data", "items") } == 2)
        #expect(try read { $0.elementCount(at: "data") } == nil)
        #expect(try read { $0.elementCount(at: "none") } == nil)
    }

    @Test("A decoding error from a document contains the full path and the value found")
    func errors() throws {
        let error = #expect(throws: DecodingError.self) {
            try read { try $0.decode(String.self, at: "data", "items", 1) }
        }
        let diagnosis = try #require(error.flatMap { WaybillJSONDecoder.Diagnosis($0) })
        #expect(diagnosis.path == "data.items[1]")
        #expect(diagnosis.summary == "expected a string, found an object with 1 key")
        let missing = #expect(throws: DecodingError.self) {
            try read { try $0.decode(Int.self, at: "data", "items", 5) }
        }
        #expect(
            missing.flatMap { WaybillJSONDecoder.Diagnosis($0) }?.summary
                == "expected a value at index 5, found the end of an array of 2 elements"
        )
    }

    @Test("A malformed document is rejected before the closure runs")
    func syntax() {
        var runs = 0
        #expect(throws: DecodingError.self) {
            try WaybillJSONDecoder().withDocument(Data(#"{"a":1"#.utf8)) { _ in runs += 1 }
        }
        #expect(runs == 0)
    }

    @Test("A document remains usable after its closure returns")
    func keptDocument() throws {
        let decoder = WaybillJSONDecoder()
        var bytes = Data(#"{"a":[1,"two"]}"#.utf8)
        let document = try decoder.withDocument(bytes) { $0 }
        bytes.resetBytes(in: 0..<bytes.count)
        #expect(try decoder.decode([Int].self, from: Data("[7]".utf8)) == [7])
        #expect(try document.decode(Int.self, at: "a", 0) == 1)
        #expect(try document.decode(String.self, at: "a", 1) == "two")
    }

    @Test("The closure of a document can decode other documents")
    func nesting() throws {
        let decoder = WaybillJSONDecoder()
        let sum = try decoder.withDocument(Data("[1,2]".utf8)) { outer in
            let first = try outer.decode(Int.self, at: 0)
            let inner = try decoder.withDocument(Data("[3]".utf8)) { try $0.decode(Int.self, at: 0) }
            return try first + inner + outer.decode(Int.self, at: 1)
        }
        #expect(sum == 6)
    }

    @Test("A path uses the document's keys even if a strategy converts keys")
    func convertedKeys() throws {
        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let data = Data(#"{"the_data":1}"#.utf8)
        #expect(try decoder.decode(Int.self, from: data, at: "the_data") == 1)
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: data, at: "theData") }
    }

    @Test("One call decodes a value and its metadata from a document")
    func metadata() throws {
        let decoder = WaybillJSONDecoder()
        let (products, meta) = try decoder.decode(
            [Product].self,
            from: data,
            at: "data",
            "items",
            with: Meta.self,
            at: "meta"
        )
        #expect(products.count == 2)
        #expect(meta == Meta(total: 9))

        let path: EnvelopeKey = "links"
        let beside = try decoder.decode(Meta.self, from: data, at: "meta", with: Product?.self, at: path)
        #expect(beside.value == Meta(total: 9))
        #expect(beside.metadata == nil)
        #expect(throws: DecodingError.self) {
            try decoder.decode(Meta.self, from: data, at: "meta", with: Product.self, at: path)
        }
    }
}
