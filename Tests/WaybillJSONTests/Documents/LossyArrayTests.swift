import Foundation
import Testing
import WaybillJSON

@Suite("Arrays that drop undecodable elements")
struct LossyArrayTests {
    struct Product: Codable, Equatable {
        let id: Int
        var on: Date?
    }

    struct Catalogue: Decodable { let products: LossyArray<Product> }

    private let data = Data(#"{"products":[{"id":1},{"id":"x"},null,{"id":2,"on":0},7]}"#.utf8)

    @Test("A LossyArray contains the decodable elements in order and the indices of the others")
    func dropping() throws {
        let products = try WaybillJSONDecoder().decodeLossy([Product].self, from: data, at: "products")
        #expect(products.elements.map(\.id) == [1, 2])
        #expect(products.dropped.map(\.index) == [1, 2, 4])
        let paths = products.dropped.compactMap {
            ($0.error as? DecodingError).flatMap { WaybillJSONDecoder.Diagnosis($0) }?.path
        }
        #expect(paths == ["products[1].id", "products[2]", "products[4]"])
    }

    @Test("Any decoder can decode a LossyArray property")
    func property() throws {
        let foundation = try JSONDecoder().decode(Catalogue.self, from: data).products
        let waybill = try WaybillJSONDecoder().decode(Catalogue.self, from: data).products
        for products in [foundation, waybill] {
            #expect(products.elements.map(\.id) == [1, 2])
            #expect(products.dropped.map(\.index) == [1, 2, 4])
        }
        let list = try PropertyListEncoder().encode(["products": [["id": 1], ["no": 2]]])
        let products = try PropertyListDecoder().decode(Catalogue.self, from: list).products
        #expect(products.elements == [Product(id: 1)])
        #expect(products.dropped.map(\.index) == [1])
    }

    @Test("A LossyArray decodes its elements with the decoder's strategies")
    func strategies() throws {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let dates = try decoder.decodeLossy([Date].self, from: Data(#"[0,"x",1]"#.utf8))
        #expect(dates.elements.map(\.timeIntervalSince1970) == [0, 1])
        #expect(dates.dropped.map(\.index) == [1])
        let nested = try decoder.decode(LossyArray<Date>.self, from: Data(#"[0,"x",1]"#.utf8))
        #expect(nested.elements == dates.elements)
    }

    @Test("A LossyArray of optional elements keeps null as nil")
    func optionals() throws {
        let values = try WaybillJSONDecoder().decodeLossy([Int?].self, from: Data(#"[1,null,"x"]"#.utf8))
        #expect(values.elements == [1, nil])
        #expect(values.dropped.map(\.index) == [2])
    }

    @Test(
        "Decoding a LossyArray from anything but a valid array throws an error",
        arguments: ["{}", "null", "1", "[1", ""]
    )
    func noArray(text: String) {
        #expect(throws: DecodingError.self) {
            try WaybillJSONDecoder().decodeLossy([Int].self, from: Data(text.utf8))
        }
    }

    @Test("A LossyArray decoded from an empty array is empty")
    func empty() throws {
        let values = try WaybillJSONDecoder().decodeLossy([Int].self, from: Data("[]".utf8))
        #expect(values.elements.isEmpty && values.dropped.isEmpty)
    }

    @Test("A LossyArray is encoded as an array of its elements")
    func encoding() throws {
        let dropped = [WaybillJSONDecoder.DroppedItem(index: 1, error: CancellationError())]
        let data = try JSONEncoder().encode(LossyArray(elements: [1, 3], dropped: dropped))
        #expect(String(decoding: data, as: UTF8.self) == "[1,3]")
    }

    @Test("A LossyArray can be decoded at a path that is known only at run time")
    func path() throws {
        let data = Data(#"{"data":{"items":[1,"x",3]}}"#.utf8)
        let path: [EnvelopeKey] = ["data", "items"]
        let values = try WaybillJSONDecoder().decodeLossy([Int].self, from: data, at: path)
        #expect(values.elements == [1, 3])
        #expect(try WaybillJSONDecoder().withDocument(data) { $0.elementCount(at: path) } == 3)
    }
}
