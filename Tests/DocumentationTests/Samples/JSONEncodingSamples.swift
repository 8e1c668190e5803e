import Foundation
import Testing
import Waybill

private nonisolated struct Product: Codable, Hashable {
    var itemID = 7
    var changedAt = Date(timeIntervalSince1970: 1_777_636_800)
}

@Suite("JSONEncoding.md")
struct JSONEncodingSamples {
    @Test("The encoder in JSONEncoding.md replaces Foundation's")
    func strategies() throws {
        let product = Product()

        var encoder = WaybillJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        let data = try encoder.encode(product)

        #expect(String(decoding: data, as: UTF8.self) == #"{"item_id":7,"changed_at":"2026-05-01T12:00:00Z"}"#)
        #expect(encoder.maximumDepth == 512)
    }

    @Test("The table in JSONEncoding.md lists every setting of the encoder")
    func settings() throws {
        let source = try Repository.text(of: "Sources/WaybillJSON/Encoding/WaybillJSONEncoder.swift")
        let settings = source.matches(of: /\n    public var (\w+):/).map { "`\($0.output.1)`" }
        let rows = try Repository.page("Documentation/Declare/JSONEncoding.md").rows(ofTableUnder: "Setting")
        #expect(rows.map { $0[0] }.sorted() == settings.sorted())
    }

    @Test("A declared encoder encodes bodies, and inner strategies change it")
    func declaration() throws {
        var encoder = WaybillJSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let url = try #require(URL(string: "https://api.example.com"))
        let client = Client(url) { [encoder] in Encode(with: encoder) }
        let plain: Endpoint<Void> = client.endpoint {
            POST("products")
            Body(Product())
        }
        let converted: Endpoint<Void> = client.endpoint {
            POST("products")
            Encode(keys: .convertToSnakeCase)
            Body(Product())
        }
        #expect(try plain.plan().body?.bytes == Data(#"{"itemID":7,"changedAt":1777636800}"#.utf8))
        #expect(try converted.plan().body?.bytes == Data(#"{"item_id":7,"changed_at":1777636800}"#.utf8))
    }

    @Test("Numbers are encoded as described in JSONEncoding.md")
    func numbers() throws {
        let texts = try [1, 29.9, 0.0001, 0.00001, 1.5e20].map {
            String(decoding: try WaybillJSONEncoder().encode($0), as: UTF8.self)
        }
        #expect(texts == ["1", "29.9", "0.0001", "1e-05", "1.5e+20"])
        #expect(try WaybillJSONEncoder().encode(Decimal(1e20)) == Data("100000000000000000000".utf8))
    }

    private static let differences: [String: any Encodable & Sendable] = [
        "`Decimal.nan`": Decimal.nan,
        "the last second of 1582-10-14": Date(timeIntervalSince1970: -12_219_292_801),
        "a date in the year 33658": Date(timeIntervalSince1970: 1e12),
        "512 nested arrays": (0..<511).reduce(JSONValue.array([])) { inner, _ in .array([inner]) },
    ]

    @Test("The encoder differences in JSONEncoding.md are accurate")
    func foundationsDifferences() throws {
        let rows = try Repository.page("Documentation/Declare/JSONEncoding.md").rows(ofTableUnder: "Value")
        #expect(Set(rows.map { $0[0] }) == Set(Self.differences.keys))
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = .iso8601
        var waybill = WaybillJSONEncoder()
        waybill.dateEncodingStrategy = .iso8601
        for row in rows {
            let value = try #require(Self.differences[row[0]])
            #expect(Self.outcome { try foundation.encode(value) } == row[1], "\(row[0])")
            #expect(Self.outcome { try waybill.encode(value) } == row[2], "\(row[0])")
        }
    }

    private static func outcome(_ encode: () throws -> Data) -> String {
        do {
            let text = String(decoding: try encode(), as: UTF8.self)
            let brackets = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
            return text == brackets ? "512 nested arrays" : "`\(text)`"
        } catch EncodingError.invalidValue {
            return "`invalidValue`"
        } catch {
            return "\(error)"
        }
    }
}
