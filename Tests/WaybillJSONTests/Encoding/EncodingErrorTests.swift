import Foundation
import Testing
import WaybillJSON

@Suite("Encoding errors")
struct EncodingErrorTests {
    struct Item: Encodable {
        var price = 1.0
        var dates: [Date] = []
        var byName: [String: [Double]] = [:]
        var inner: [Item] = []
    }

    @Test("A number or a date that cannot be encoded is an error with its path")
    func paths() {
        #expect(encodingError(encoding: Item(price: .nan))?.path == "price")
        #expect(
            encodingError(encoding: Item(byName: ["a": [1], "b": [1, 2, -.infinity]]))?.path == "byName/b/Index 2"
        )
        #expect(encodingError(encoding: Item(inner: [Item(), Item(price: .infinity)]))?.path == "inner/Index 1/price")
        #expect(encodingError(encoding: [Float.nan])?.path == "Index 0")
        #expect(encodingError(encoding: Decimal.nan)?.reason == "JSON has no number for Decimal.nan.")
        #expect(encodingError(encoding: ["x": JSONValue.array([.double(.nan)])])?.path == "x/Index 0")
        let dated = Item(dates: [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1e15)])
        for strategy in [.iso8601, .iso8601WithMilliseconds, .formatted { $0.timeIntervalSince1970 > 0 ? nil : "ok" }]
            as [WaybillJSONEncoder.DateEncodingStrategy]
        {
            let encoder = WaybillJSONEncoder { $0.dateEncodingStrategy = strategy }
            #expect(encodingError(encoder, encoding: dated)?.path == "dates/Index 1")
        }
        // In no time zone are these within the years 0 to 9999.
        for seconds in [253_402_387_200, -62_167_305_600.001] {
            for strategy in [.iso8601, .iso8601WithMilliseconds] as [WaybillJSONEncoder.DateEncodingStrategy] {
                let encoder = WaybillJSONEncoder { $0.dateEncodingStrategy = strategy }
                #expect(encodingError(encoder, encoding: [Date(timeIntervalSince1970: seconds)])?.path == "Index 0")
            }
        }
        let seconds = WaybillJSONEncoder { $0.dateEncodingStrategy = .secondsSince1970 }
        #expect(encodingError(seconds, encoding: [Date(timeIntervalSince1970: .nan)])?.path == "Index 0")
    }

    struct Nested: Encodable {
        let inner: [Nested]
    }

    @Test("A value can be nested up to the maximum depth, and deeper nesting is an error")
    func depth() throws {
        func nested(_ depth: Int) -> Nested {
            (1..<depth).reduce(Nested(inner: [])) { inner, _ in Nested(inner: [inner]) }
        }
        #expect(try WaybillJSONEncoder().encode(nested(256)).count > 0)
        #expect(encodingError(encoding: nested(257))?.reason == "The value is nested deeper than 512 levels.")
        let flat = WaybillJSONEncoder { $0.maximumDepth = 2 }
        #expect(try flat.text(of: [[1]]) == "[[1]]")
        #expect(try flat.text(of: ["a": ["b": JSONValue.null]]) == #"{"a":{"b":null}}"#)
        #expect(encodingError(flat, encoding: [[[1]]])?.path == "Index 0/Index 0")
        #expect(encodingError(flat, encoding: JSONValue.array([[[]]]))?.path == "Index 0/Index 0")
    }

    struct Endless: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    struct EndlessArray: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(self)
        }
    }

    @Test("A value that contains itself is an error before the stack overflows")
    func endless() {
        #expect(encodingError(encoding: Endless())?.reason == "The value is nested deeper than 512 levels.")
        #expect(encodingError(encoding: EndlessArray())?.reason == "The value is nested deeper than 512 levels.")
    }

    @Test("A second value that conflicts with one already encoded is an error")
    func secondValue() {
        let reason = "A value of another kind has already been encoded here."
        let bodies: [(any Encoder) throws -> Void] = [
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(1)
                try single.encode(2)
            },
            { encoder in
                _ = encoder.unkeyedContainer()
                var object = encoder.container(keyedBy: AnyKey.self)
                try object.encode(1, forKey: "a")
            },
            { encoder in
                var single = encoder.singleValueContainer()
                try single.encode("x")
                // These calls cannot throw, so the complete encoding fails.
                _ = encoder.unkeyedContainer()
            },
            { encoder in
                _ = encoder.container(keyedBy: AnyKey.self)
                var single = encoder.singleValueContainer()
                try single.encode(1)
            },
        ]
        for body in bodies { #expect(encodingError(encoding: [ScriptedValue(body)])?.reason == reason) }
    }

    /// Keeps containers and an encoder beyond the call that created them.
    final class Keeper: @unchecked Sendable {
        var keyed: KeyedEncodingContainer<AnyKey>?
        var unkeyed: (any UnkeyedEncodingContainer)?
        var encoder: (any Encoder)?
    }

    @Test("A container or an encoder used after its call throws, in the same document and after it")
    func keptContainers() throws {
        let keeper = Keeper()
        let keeping = ScriptedValue { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            keeper.encoder = object.superEncoder()
            keeper.unkeyed = object.nestedUnkeyedContainer(forKey: "a")
            keeper.keyed = object
        }
        func expectUnusable() {
            #expect(throws: EncodingError.self) { try keeper.keyed?.encode(1, forKey: "x") }
            #expect(throws: EncodingError.self) { try keeper.unkeyed?.encode(1) }
            #expect(throws: EncodingError.self) { try keeper.encoder.map { try 1.encode(to: $0) } }
            #expect(throws: EncodingError.self) {
                var nested = keeper.keyed?.nestedContainer(keyedBy: AnyKey.self, forKey: "y")
                try nested?.encode(1, forKey: "z")
            }
            #expect(throws: EncodingError.self) {
                var nested = keeper.unkeyed?.nestedUnkeyedContainer()
                try nested?.encodeNil()
            }
            #expect(keeper.keyed?.codingPath.isEmpty == true)
            #expect(keeper.unkeyed?.count == 0)
        }
        #expect(try WaybillJSONEncoder().text(of: [keeping]) == #"[{"super":{},"a":[]}]"#)
        expectUnusable()
        // They do not affect other documents.
        #expect(try WaybillJSONEncoder().text(of: ["a": [1]]) == #"{"a":[1]}"#)
        expectUnusable()
    }

    @Test("An encoder can be used after an error, and within the call of another encoder")
    func reuse() throws {
        let encoder = WaybillJSONEncoder()
        for _ in 0..<3 {
            #expect(throws: EncodingError.self) { try encoder.encode(Item(inner: [Item(price: .nan)])) }
            #expect(try encoder.text(of: ["a": 1]) == #"{"a":1}"#)
        }
        let text = try text { outer in
            var array = outer.unkeyedContainer()
            for number in 0..<3 { try array.encode(WaybillJSONEncoder().text(of: [number, number])) }
        }
        #expect(text == #"["[0,0]","[1,1]","[2,2]"]"#)
    }
}
