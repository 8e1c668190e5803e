import CallSupport
import Foundation
import Testing

@testable import Waybill

@Suite("Flattened items")
struct FlattenedItemsTests {
    struct Search: Encodable {
        var text: String? = "a, b&c"
        var filter = Filter()
        var tags = ["x", "y,z"]
        var page: Int?
        var none: [String] = []

        struct Filter: Encodable {
            var price = ["min": 1.5, "max": 30.0]
            var inStock = true
        }
    }

    static func text(
        _ value: some Encodable,
        named name: String? = nil,
        arrays: Query.ArrayStyle = .repeated,
        nulls: Query.NullStyle = .omitted
    ) throws -> String {
        let value = try ValueEncoder(nils: .null).encode(value)
        return try FlattenedItems(value, named: name, arrays: arrays, nulls: nulls).items
            .map { "\($0.name)=\($0.pieces.joined(separator: "|"))" }.joined(separator: " ; ")
    }

    static func error(_ value: some Encodable, named name: String? = nil, arrays: Query.ArrayStyle = .repeated)
        -> String
    {
        do {
            return try "no error: " + text(value, named: name, arrays: arrays)
        } catch EncodingError.invalidValue(_, let context) {
            return context.debugDescription
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "Flattened items keep their order, with nested keys in brackets and arrays in the declared style",
        arguments: [
            (.repeated, "tags=x ; tags=y,z"), (.commaSeparated, "tags=x|y,z"), (.brackets, "tags[]=x ; tags[]=y,z"),
            (.indexed, "tags[0]=x ; tags[1]=y,z"),
        ] as [(Query.ArrayStyle, String)]
    )
    func styles(arrays: Query.ArrayStyle, tags: String) throws {
        #expect(
            try Self.text(Search(), arrays: arrays)
                == "text=a, b&c ; filter[price][max]=30 ; filter[price][min]=1.5 ; filter[inStock]=true ; " + tags
        )
    }

    @Test("A flattened item's value joins its pieces with commas")
    func value() {
        #expect(FlattenedItems.Item(name: "a", pieces: ["x", "y"]).value == "x,y")
        #expect(FlattenedItems.Item(name: "a", pieces: [""]).value == "")
    }

    @Test("A flattened null is omitted or becomes empty text")
    func nulls() throws {
        let value = ["a": [nil, 1, nil, 2], "b": nil, "c": [nil]] as [String: [Int?]?]
        let table: [(Query.ArrayStyle, String, String)] = [
            (.repeated, "a=1 ; a=2", "a= ; a=1 ; a= ; a=2 ; b= ; c="),
            (.commaSeparated, "a=1|2", "a=|1||2 ; b= ; c="),
            (.brackets, "a[]=1 ; a[]=2", "a[]= ; a[]=1 ; a[]= ; a[]=2 ; b= ; c[]="),
            (.indexed, "a[0]=1 ; a[1]=2", "a[0]= ; a[1]=1 ; a[2]= ; a[3]=2 ; b= ; c[0]="),
        ]
        for (arrays, omitted, empty) in table {
            #expect(try Self.text(value, arrays: arrays) == omitted)
            #expect(try Self.text(value, arrays: arrays, nulls: .empty) == empty)
        }
    }

    @Test(
        "Empty objects and arrays flatten to no items, and an empty string to one",
        arguments: Query.ArrayStyle.allCases
    )
    func empty(arrays: Query.ArrayStyle) throws {
        #expect(try Self.text(["a": [String]()], arrays: arrays, nulls: .empty) == "")
        #expect(try Self.text(["a": [String: Int]()], arrays: arrays, nulls: .empty) == "")
        #expect(try Self.text(["a": ""], arrays: arrays) == "a=")
    }

    @Test("A named value can be flattened even if it is not an object")
    func named() throws {
        #expect(try Self.text(5, named: "n") == "n=5")
        #expect(try Self.text([1, 2], named: "n", arrays: .commaSeparated) == "n=1|2")
        #expect(try Self.text([1, 2], named: "n", arrays: .indexed) == "n[0]=1 ; n[1]=2")
        #expect(try Self.text(["a": ["b": 1]], named: "n") == "n[a][b]=1")
        #expect(try Self.text(Int?.none, named: "n") == "")
        #expect(try Self.text(Int?.none, named: "n", nulls: .empty) == "n=")
    }

    @Test("Nested arrays and arrays of objects can be flattened only in the indexed style")
    func nestedArrays() throws {
        struct Line: Encodable {
            var sku: String
            var sizes: [Int]
        }
        let lines = ["lines": [Line(sku: "a", sizes: [1, 2]), Line(sku: "b", sizes: [])]]
        #expect(
            try Self.text(lines, arrays: .indexed)
                == "lines[0][sku]=a ; lines[0][sizes][0]=1 ; lines[0][sizes][1]=2 ; lines[1][sku]=b"
        )
        #expect(try Self.text(["m": [[1], [2, 3]]], arrays: .indexed) == "m[0][0]=1 ; m[1][0]=2 ; m[1][1]=3")
        for arrays in [Query.ArrayStyle.repeated, .commaSeparated, .brackets] {
            #expect(
                Self.error(["o": lines], arrays: arrays)
                    == "o.lines[0]: an object inside an array cannot be written in the style \(arrays); "
                    + "use the style indexed."
            )
            #expect(
                Self.error(["m": [[1]]], arrays: arrays)
                    == "m[0]: an array inside an array cannot be written in the style \(arrays); use the style indexed."
            )
        }
    }

    @Test(
        "Leaves flatten to their standard text",
        arguments: [
            (true, "true"), (false, "false"), (-5, "-5"), (UInt64.max, "18446744073709551615"), (Int8(7), "7"),
            (30.0, "30"), (0.1, "0.1"), (-0.0, "-0"), (1e21, "1e21"), (1.5e-7, "1.5e-07"), (Float(0.1), "0.1"),
            (Float(2), "2"), (Double.greatestFiniteMagnitude, "1.7976931348623157e308"),
            (Decimal(string: "12.50"), "12.5"), (Decimal(string: "1e30"), "1000000000000000000000000000000"),
            ("a b+é", "a b+é"), (Data("Hello".utf8), "SGVsbG8="),
            (URL(string: "https://a.b/c?d=e"), "https://a.b/c?d=e"),
            (UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), "00000000-0000-0000-0000-000000000001"),
            (Date(timeIntervalSince1970: 0), "1970-01-01T00:00:00Z"),
            (Date(timeIntervalSince1970: 1_735_689_599.25), "2024-12-31T23:59:59.250Z"),
            (Date(timeIntervalSince1970: 1_735_689_599.007), "2024-12-31T23:59:59.007Z"),
            (Date(timeIntervalSince1970: 1_735_689_599.9999), "2025-01-01T00:00:00Z"),
            (Date(timeIntervalSince1970: -0.25), "1969-12-31T23:59:59.750Z"),
            (Date(timeIntervalSince1970: -62_167_219_200), "0000-01-01T00:00:00Z"),
            (Date(timeIntervalSince1970: -62_135_596_800), "0001-01-01T00:00:00Z"),
            (Date(timeIntervalSince1970: -11_644_473_600.5), "1600-12-31T23:59:59.500Z"),
            (Date(timeIntervalSince1970: 951_782_400), "2000-02-29T00:00:00Z"),
            (Date(timeIntervalSince1970: 253_402_300_799), "9999-12-31T23:59:59Z"),
        ] as [((any Encodable & Sendable)?, String)]
    )
    func leaves(leaf: (any Encodable & Sendable)?, text: String) throws {
        #expect(try LeafFormat.standard.text(of: #require(leaf)) == text)
    }

    @Test(
        "A flattened leaf without a text representation is an error that has its path",
        arguments: [
            (Double.nan, "nan is not a number that can be written"),
            (Double.infinity, "inf is not a number that can be written"),
            (-Float.infinity, "-inf is not a number that can be written"),
            (Decimal.nan, "NaN is not a number that can be written"),
        ] as [(any Encodable & Sendable, String)]
    )
    func unsupportedLeaves(leaf: any Encodable & Sendable, reason: String) {
        func error(_ leaf: some Encodable) -> String { Self.error(["filter": ["odd key": [leaf]]]) }
        #expect(error(leaf) == "filter[\"odd key\"][0]: \(reason).")
    }

    @Test(
        "The error for an unwritable flattened date can be printed",
        arguments: [.infinity, -.infinity, .nan, .greatestFiniteMagnitude, 1e15, -62_167_305_600.001, 253_402_387_200]
    )
    func unsupportedDates(seconds: TimeInterval) {
        let date = Date(timeIntervalSince1970: seconds)
        let reason =
            seconds.isFinite ? "a date outside the years 0 to 9999" : "a date that is \(seconds) seconds from 1970"
        #expect(Self.error(["on": date]) == "on: \(reason) cannot be written.")
        let error = #expect(throws: EncodingError.self) {
            try FlattenedItems(ValueEncoder().encode(["on": date]))
        }
        #expect(error.map { "\($0)".contains("cannot be written") } == true)
    }

    @Test("A flattened leaf of an unsupported type is an error")
    func unknownLeaf() {
        struct Unknown: Encodable {}
        #expect(throws: EncodingError.self) {
            try FlattenedItems(.object([("a", .leaf(Unknown()))]))
        }
    }

    @Test("A custom format writes flattened leaves")
    func customFormat() throws {
        let format = LeafFormat { leaf in
            if let date = leaf as? Date { return "\(Int(date.timeIntervalSince1970))" }
            return try LeafFormat.standard.text(of: leaf)
        }
        let value = try ValueEncoder().encode(["a": [Date(timeIntervalSince1970: 7)]])
        #expect(try FlattenedItems(value, format: format).items.map(\.value) == ["7"])

        struct Failure: Error {}
        #expect(throws: Failure.self) { try FlattenedItems(value, format: LeafFormat { _ in throw Failure() }) }
    }

    @Test("A flattened value that is not an object needs a name")
    func notAnObject() {
        #expect(
            Self.error([1])
                == "Only an object has names for its values, and an array does not; encode a struct or a dictionary."
        )
        #expect(
            Self.error(5)
                == "Only an object has names for its values, and a value of type Int does not; "
                + "encode a struct or a dictionary."
        )
        #expect(Self.error(Optional<Int>.none).hasPrefix("Only an object has names for its values, and null does not"))
    }
}
