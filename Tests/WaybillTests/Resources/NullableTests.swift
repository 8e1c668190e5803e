import Foundation
import Testing
import Waybill

@Suite("Nullable values")
struct NullableTests {
    struct Fields: Codable, Equatable, Sendable {
        var name: Nullable<String> = .absent
        var size: Nullable<Int> = .absent
        var price: Nullable<Double> = .absent
        var isNew: Nullable<Bool> = .absent
        var at: Nullable<Date> = .absent
    }

    @Test(
        "Nullable encodes and decodes as absent, null or a value",
        arguments: [
            (Fields(), "{}"),
            (Fields(name: .null, size: nil), #"{"name":null,"size":null}"#),
            (
                Fields(name: "Bo", size: 3, price: 1.5, isNew: true, at: .value(Date(timeIntervalSince1970: 0))),
                #"{"at":"1970-01-01T00:00:00Z","isNew":true,"name":"Bo","price":1.5,"size":3}"#
            ),
        ]
    )
    func states(fields: Fields, json: String) throws {
        #expect(try String(decoding: JSONDefaults.encoder.encode(fields), as: UTF8.self) == json)
        #expect(try JSONDefaults.decoder.decode(Fields.self, from: Data(json.utf8)) == fields)
    }

    @Test("Nullable converts to and from an optional")
    func wrapped() {
        #expect(Nullable(3).wrapped == 3)
        #expect(Nullable<Int>(nil) == .null)
        #expect(Nullable<Int>.absent.wrapped == nil)
    }

    @Test("An absent or null Nullable encodes as null in an array")
    func arrays() throws {
        let array: [Nullable<Int>] = [1, .null, .absent]
        #expect(try JSONDefaults.encoder.encode(array) == Data("[1,null,null]".utf8))
    }
}
