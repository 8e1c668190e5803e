import Foundation
import Testing

@testable import WaybillJSON

@Suite("Elements decoded ahead")
struct ElementsAheadTests {
    struct Point: Decodable { let x: Int }

    typealias Reader = WaybillJSONDecoder.ElementReader<Point>

    /// Documents with their sequence form; nil for an array at the path `data`.
    static let documents: [(form: JSONSequenceForm?, text: String)] = [
        (nil, #"{"a":[1],"data":[{"x":1},{"x":2} , {"x":3}],"b":2}"#),
        (nil, #"{"data":[]}"#),
        (nil, #"{"data":[{"x":1},{"x":"é"},{"x":3},{"y":4},5,{"x":6}]}"#),
        (nil, #"{"data":[{"x":1},{"x":2},]}"#),
        (nil, #"{"data":[{"x":1},{"x":2}{"x":3}]}"#),
        (nil, #"{"data":[{"x":1},{"x":2"#),
        (nil, "{\"data\":[{\"x\":1},\n\t{\"x\":\"\"},\n{\"x\":nul}]}"),
        (nil, #"{"data":[{"x":1},[[[[[1]]]]],{"x":2}]}"#),
        (.lines, "{\"x\":1}\n{\"x\":2} \r\n\n{\"x\":3}"),
        (.lines, "{\"x\":1}\n{\"x\":2} {\"x\":3}\n"),
        (.lines, "{\"x\":1}\n{\"z\":2}\n7\n{\"x\":8}\n"),
        (.textSequence, "\u{1E}{\"x\":1}\n\u{1E}{\"x\":2}\n\u{1E}7\n"),
        (.concatenated, "{\"x\":1}{\"x\":2} 7 {\"x\":3}"),
    ]

    private static func reader(_ form: JSONSequenceForm?) -> Reader {
        var decoder = WaybillJSONDecoder()
        decoder.maximumDepth = 5
        return form.map { Reader(decoder, sequence: $0) } ?? decoder.elements(Point.self, at: "data")
    }

    /// Returns the elements of a document as texts, followed by its errors, when it is read in chunks of a given size.
    private static func results(
        _ document: (form: JSONSequenceForm?, text: String),
        by size: Int,
        _ read: (inout Reader) throws -> [String]
    ) -> [String] {
        var reader = reader(document.form)
        var results: [String] = []
        var rest = Data(document.text.utf8)[...]
        do {
            while !rest.isEmpty {
                reader.append(Data(rest.prefix(size)))
                rest = rest.dropFirst(size)
                if rest.isEmpty { reader.endSequence() }
                while true {
                    let more = try read(&reader)
                    guard !more.isEmpty else { break }
                    results += more
                }
            }
            try reader.finish()
        } catch {
            results.append("\(error)")
        }
        return results
    }

    @Test("Elements and errors are the same ahead as one by one, for any chunk size", arguments: documents)
    func same(form: JSONSequenceForm?, text: String) {
        for size in 1...text.utf8.count {
            let single = Self.results((form, text), by: size) { reader in
                switch try reader.nextResult() {
                case .success(let point): ["\(point.x)"]
                case .failure(let failure): ["\(failure)"]
                case nil: []
                }
            }
            let ahead = Self.results((form, text), by: size) { reader in
                var points: [Point] = []
                let failure = try reader.nextElements(into: &points)
                return points.map { "\($0.x)" } + (failure.map { ["\($0)"] } ?? [])
            }
            #expect(ahead == single, "in chunks of \(size) bytes")
        }
    }

    @Test("Elements of a chunk are decoded together, up to 64 KiB at a time")
    func amount() throws {
        let element = #"{"x":7}"#
        let count = 30_000
        var reader = Self.reader(.lines)
        reader.append(Data(repeatElement(element + "\n", count: count).joined().utf8))
        var points: [Point] = []
        _ = try reader.nextElements(into: &points)
        #expect((8000...8300).contains(points.count))
        while true {
            let before = points.count
            _ = try reader.nextElements(into: &points)
            guard points.count > before else { break }
        }
        #expect(points.count == count)
    }

    /// An element that keeps its decoder.
    struct Keeper: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) throws { self.decoder = decoder }
    }

    @Test("The kept decoder of each element in a chunk has the value and the path of that element")
    func kept() throws {
        var reader = WaybillJSONDecoder().elements(Keeper.self)
        reader.append(Data(#"[{"x":1},{"x":2},{"x":"3"},{"x":4}]"#.utf8))
        var keepers: [Keeper] = []
        while true {
            let before = keepers.count
            _ = try reader.nextElements(into: &keepers)
            guard keepers.count > before else { break }
        }
        try reader.finish()
        #expect(keepers.map { try? Point(from: $0.decoder).x } == [1, 2, nil, 4])
        #expect(keepers.map { $0.decoder.codingPath.map(\.intValue) } == [[0], [1], [2], [3]])
    }
}
