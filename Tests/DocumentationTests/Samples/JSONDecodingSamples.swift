import Foundation
import Testing
import WaybillJSON

private enum Page {
    struct Product: Decodable {
        let id: Int
        var name: String?
        var price: Decimal?
    }

    struct Catalogue: Decodable {
        let products: LossyArray<Product>
    }
}

private typealias Product = Page.Product

private struct Meta: Decodable { let total: Int }

@Suite("JSONDecoding.md")
struct JSONDecodingSamples {
    private let data = Data(
        #"{"data":[{"id":7,"name":"Lamp"},{"id":8,"name":"Desk"}],"meta":{"total":9}}"#.utf8
    )

    @Test("The decoder in JSONDecoding.md replaces Foundation's")
    func strategies() throws {
        let data = Data(#"[{"id":7}]"#.utf8)

        var decoder = WaybillJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let products = try decoder.decode([Product].self, from: data)

        #expect(products.map(\.id) == [7])
        #expect(WaybillJSONDecoder().maximumDepth == 512)
    }

    @Test("The decoder in JSONDecoding.md replaces lone surrogates")
    func loneSurrogates() throws {
        struct Post: Decodable { let text: String }
        let data = Data(#"[{"text":"cut \ud83d"}]"#.utf8)

        var decoder = WaybillJSONDecoder()
        decoder.loneSurrogateDecodingStrategy = .replace
        let posts = try decoder.decode([Post].self, from: data)

        #expect(posts.map(\.text) == ["cut \u{FFFD}"])
    }

    @Test("The table in JSONDecoding.md lists every setting of the decoder")
    func settings() throws {
        let source = try Repository.text(of: "Sources/WaybillJSON/Strategies/WaybillJSONDecoder.swift")
        let settings = source.matches(of: /\n    public var (\w+):/).map { "`\($0.output.1)`" }
        let rows = try Repository.page("Documentation/Declare/JSONDecoding.md").rows(ofTableUnder: "Setting")
        #expect(rows.map { $0[0] }.sorted() == settings.sorted())
    }

    @Test("The parts of a document in JSONDecoding.md are decoded")
    func parts() throws {
        let decoder = WaybillJSONDecoder()

        let first = try decoder.decode(Product.self, from: data, at: "data", 0)
        let (items, meta) = try decoder.decode([Product].self, from: data, at: "data", with: Meta.self, at: "meta")

        #expect(first.id == 7)
        #expect(items.map(\.id) == [7, 8])
        #expect(meta.total == 9)

        let summary = try decoder.withDocument(data) { document in
            let next = try document.decodeIfPresent(String.self, at: "meta", "next")
            let names = try document.decode([Product].self, at: "data").map(\.name)
            return (names, next, document.elementCount(at: "data"))
        }

        #expect(summary.0 == ["Lamp", "Desk"])
        #expect(summary.1 == nil)
        #expect(summary.2 == 2)
    }

    @Test("The bad elements in JSONDecoding.md are dropped")
    func lossy() throws {
        let decoder = WaybillJSONDecoder()
        let data = Data(#"{"data":[{"id":7},{"id":"x"}]}"#.utf8)

        let lossy = try decoder.decodeLossy([Product].self, from: data, at: "data")
        for item in lossy.dropped { print(item.index, item.error) }

        #expect(lossy.elements.map(\.id) == [7])
        #expect(lossy.dropped.map(\.index) == [1])
        let catalogue = try JSONDecoder().decode(Page.Catalogue.self, from: Data(#"{"products":[{"id":7},null]}"#.utf8))
        #expect(catalogue.products.elements.map(\.id) == [7])
    }

    @Test("The text of a decoding error matches JSONDecoding.md")
    func errors() throws {
        let decoder = WaybillJSONDecoder()
        let data = Data(
            """
            {"data":[
                {"id":1,"name":"L","price": 30},
                {"id":2,"name":"M","price": "12 €"}]}
            """.utf8
        )
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }
        func print(_ products: [Product]) {}

        do {
            print(try decoder.decode([Product].self, from: data, at: "data"))
        } catch let error as DecodingError {
            print(WaybillJSONDecoder.Diagnosis(error)?.description ?? "\(error)")
        }

        #expect(
            printed.first == """
                data[1].price (line 3, column 33): expected a number (Decimal), found the string "12 €"
                        {"id":2,"name":"M","price": "12 €"}]}
                                                    ^~~~~~
                """
        )
    }
}
