import Foundation
import Testing

@testable import WaybillJSON

@Suite("Element errors")
struct ElementErrorTests {
    struct Product: Decodable, Equatable {
        let id: Int
        let price: Double?
        let tags: [String]?
    }

    static let sizes = [1, 2, 5, 16, 50, 300, Int.max]

    /// Documents with one undecodable element.
    static let documents = [
        #"{"data":[{"id":1},{"id":2,"price":"cheap"},{"id":3}]}"#,
        "{\n  \"größe\": \"漢字\",\n  \"data\": [\n    {\"id\": 1},\r\n    {\"id\": 2, \"tags\": [\"é\", 7]}\n  ]\n}",
        #"{"a":"👩‍👩‍👧e\#u{301}","data":[{"id":1,"x":"ёж🇩🇪"},{"id":1.5}]}"#,
        #"{"data":[{"id":1},{"di":2,"tags":[]}]}"#,
        #"{"data":[{"id":1},{"id":2},null]}"#,
        #"{"data":[[]]}"#,
        "\u{FEFF}{\"data\":[{\"id\":\"\"}]}",
        "{\"data\":[" + String(repeating: "{\"id\":1,\"tags\":[\"ä\"]},\r\n", count: 30) + "{\"id\":true}]}",
    ]

    @Test(
        "An element error has the path, line, column and summary of an error in the complete document",
        arguments: documents,
        sizes
    )
    func places(document: String, size: Int) throws {
        let decoder = WaybillJSONDecoder()
        let whole = try #require(decoder.whole(Product.self, document.utf8, at: ["data"]).diagnosis)
        let read = ElementReading(decoder.elements(Product.self, at: "data"), Array(document.utf8), by: size)
        let diagnosis = try #require(read.diagnosis)
        #expect(diagnosis.path == whole.path)
        #expect(diagnosis.line == whole.line)
        #expect(diagnosis.column == whole.column)
        #expect(diagnosis.summary == whole.summary)
        #expect(diagnosis.nearestKey == whole.nearestKey)
        #expect(diagnosis.excerpt.last?.contains("^") == true)
    }

    @Test("An element's coding path starts at the root of the document", arguments: sizes)
    func codingPaths(size: Int) {
        struct Picky: Decodable {
            struct Rejection: Error { let path: String }
            init(from decoder: any Decoder) throws {
                let value = try decoder.container(keyedBy: AnyJSON.Key.self)
                let inner = try value.superDecoder(forKey: AnyJSON.Key(stringValue: "inner"))
                throw Rejection(path: CodingPathText.text(of: inner.codingPath))
            }
        }
        let document = Array(#"{"data":{"items":[{"inner":1}]}}"#.utf8)
        let read = ElementReading(WaybillJSONDecoder().elements(Picky.self, at: "data", "items"), document, by: size)
        #expect((read.error as? Picky.Rejection)?.path == "data.items[0].inner")
    }

    @Test("Elements after an undecodable one are still decoded", arguments: sizes)
    func failures(size: Int) throws {
        let document = Array(#"{"data":[{"id":1},{"id":"2"},{"id":3},5,{"id":null},{"id":6}],"x":[]}"#.utf8)
        var reader = WaybillJSONDecoder().elements(Product.self, at: "data")
        var ids: [Int] = []
        var failures: [String] = []
        for start in stride(from: 0, to: document.count, by: min(size, document.count)) {
            reader.append(document[start..<min(document.count, start + min(size, document.count))])
            while let result = try reader.nextResult() {
                switch result {
                case .success(let product): ids.append(product.id)
                case .failure(let failure):
                    let diagnosis = try #require(failure.diagnosis)
                    failures.append("\(failure.index) \(diagnosis.path) \(diagnosis.column ?? 0)")
                }
            }
        }
        try reader.finish()
        #expect(ids == [1, 3, 6])
        #expect(failures == ["1 data[1].id 25", "3 data[3] 39", "4 data[4].id 47"])
    }

    @Test("Each of many undecodable elements has its index, line and column")
    func manyFailures() throws {
        let lines = (0..<2000).map { "{\"id\": \($0.isMultiple(of: 2) ? "\($0)" : "\"ü\"")}" }
        let data = Data("[\n\(lines.joined(separator: ",\n"))\n]".utf8)
        var reader = WaybillJSONDecoder().elements(Product.self, from: data)
        var failures: [WaybillJSONDecoder.DroppedItem] = []
        var count = 0
        while let result = try reader.nextResult() {
            if case .failure(let failure) = result { failures.append(failure) } else { count += 1 }
        }
        #expect(count == 1000)
        #expect(failures.map(\.index) == Array(stride(from: 1, to: 2000, by: 2)))
        #expect(failures.allSatisfy { $0.diagnosis?.line == $0.index + 2 && $0.diagnosis?.column == 8 })
    }

    static let rejections: [(document: String, path: [EnvelopeKey], reason: String)] = [
        (
            "{\"date\":{\"x\":[1]}}", ["data", "items"],
            "line 1, column 1: the key \"data\" is missing; did you mean \"date\"?"
        ),
        ("[{}]", ["data"], "line 1, column 1: expected an object, found an array of 1 element"),
        ("\n{\"data\":null}", ["data"], "data (line 2, column 9): expected an array, found null"),
        ("{\"data\":\"abc\"}", ["data"], "data (line 1, column 9): expected an array, found the string \"abc\""),
        (
            "{\"data\":{\"items\":{}}}", ["data", "items"],
            "data.items (line 1, column 18): expected an array, found an empty object"
        ),
        (
            "{\"a\":[[1]]}", ["a", 1],
            "a[1] (line 1, column 6): expected a value at index 1, found the end of"
        ),
        ("{\"data\":3,\"data\":[1]}", ["data"], "data (line 1, column 9): expected an array, found the number 3"),
        ("", [], "expected a value, found an empty document"),
        (" \n ", [], "line 1, column 1: expected a value, found the end of the text"),
        ("[1,2", [], "line 1, column 5: expected ',' or ']', found the end of the text"),
        ("[1]]", [], "line 1, column 4: expected the end of the text, found ']'"),
        ("{\"a\":[1],\n \"b\":tru}", ["a"], "line 2, column 6: expected a value after ':', found 'tru'"),
        ("<html>", [], "line 1, column 1: expected a value, found '<'; this looks like HTML or XML, not JSON"),
    ]

    @Test("Reading elements of a malformed document, or at a path to nothing, throws an error", arguments: rejections)
    func rejected(document: String, path: [EnvelopeKey], reason: String) throws {
        var reader = WaybillJSONDecoder().elements(Int.self, from: Data(document.utf8), at: path)
        let error = try #require(throws: DecodingError.self) { while try reader.next() != nil {} }
        #expect(WaybillJSONDecoder.Diagnosis(error)?.description.hasPrefix(reason) == true, "\(error)")
        #expect(throws: DecodingError.self) { try reader.next() }
        let read = ElementReading(WaybillJSONDecoder().elements(Int.self, at: path), Array(document.utf8), by: .max)
        let description = try #require(read.diagnosis?.description)
        let isStandIn = description.contains("[1] (")
        #expect(description.hasPrefix(isStandIn ? "a[1] (line 1, column 6): expected a value" : reason))
        let place = try #require(read.place)
        for size in [1, 2, 3] {
            let read = ElementReading(WaybillJSONDecoder().elements(Int.self, at: path), Array(document.utf8), by: size)
            #expect(read.place == place)
        }
    }

    @Test("The depth of an element is counted from the root of the document", arguments: sizes)
    func depth(size: Int) {
        var decoder = WaybillJSONDecoder()
        decoder.maximumDepth = 4
        let reader = decoder.elements(AnyJSON.self, at: "a", "b")
        let fits = ElementReading(reader, Array(#"{"a":{"b":[[1]]},"x":[[[2]]]}"#.utf8), by: size)
        #expect(fits.error == nil)
        let element = ElementReading(reader, Array(#"{"a":{"b":[[1],[[2]]]}}"#.utf8), by: size)
        #expect(element.elements.count == 1)
        #expect(element.place == "1:17")
        let sibling = ElementReading(reader, Array(#"{"a":{"b":[[1]]},"x":[[[[2]]]]}"#.utf8), by: size)
        #expect(sibling.diagnosis?.description.contains("nested deeper than 4 levels") == true)
        #expect(sibling.place == "1:25")
    }

    @Test("An element with a million levels is rejected unless the maximum depth allows it")
    func deep() throws {
        let open = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        let close = [UInt8](repeating: UInt8(ascii: "]"), count: 1_000_000)
        let document = Array("{\"x\":".utf8) + open + close + Array(",\"a\":[7]}".utf8)
        #expect(ElementReading(WaybillJSONDecoder().elements(Int.self, at: "a"), document, by: 4096).elements.isEmpty)
        var decoder = WaybillJSONDecoder()
        decoder.maximumDepth = .max
        let read = ElementReading(decoder.elements(Int.self, at: "a"), document, by: 4096)
        #expect(read.error == nil)
        #expect(read.elements == [7])
    }
}
