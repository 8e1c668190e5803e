import Foundation
import Testing
import WaybillJSON

private struct Product: Decodable, Sendable { let id: Int }

@Suite("JSONDecoding.md, element by element")
struct JSONElementsSamples {
    private let decoder = WaybillJSONDecoder()
    private let document = #"{"meta":{"total":3},"data":[{"id":7},{"id":8},{"id":9}]}"#

    private var pieces: [Data] {
        let bytes = Array(document.utf8)
        return stride(from: 0, to: bytes.count, by: 10).map { Data(bytes[$0..<min($0 + 10, bytes.count)]) }
    }

    @Test("The elements of an arriving document in JSONDecoding.md are decoded")
    func sequence() async throws {
        let chunks = AsyncStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }
        var shown: [Int] = []
        func show(_ product: Product) { shown.append(product.id) }

        for try await product in decoder.elements(Product.self, from: chunks, at: "data") { show(product) }

        #expect(shown == [7, 8, 9])
    }

    @Test("The elements of chunks in JSONDecoding.md are decoded")
    func chunks() throws {
        let chunks = pieces
        var shown: [Int] = []
        func show(_ product: Product) { shown.append(product.id) }

        var reader = decoder.elements(Product.self, at: "data", keeping: [["meta"]])
        for chunk in chunks {
            reader.append(chunk)
            while let product = try reader.next() { show(product) }
        }
        try reader.finish()
        let total = try reader.metadata(Int.self, at: "meta", "total")

        #expect(shown == [7, 8, 9])
        #expect(total == 3)
    }

    @Test("The failures of elements in JSONDecoding.md are reported")
    func failures() throws {
        let data = Data(document.replacingOccurrences(of: "8", with: "null").utf8)
        var shown: [Int] = []
        var printed: [String] = []
        func show(_ product: Product) { shown.append(product.id) }
        func print(_ text: String) { printed.append(text) }

        var products = decoder.elements(Product.self, from: data, at: "data")
        while let result = try products.nextResult() {
            switch result {
            case .success(let product): show(product)
            case .failure(let failure): print("\(failure.index) is left out: \(failure)")
            }
        }

        #expect(shown == [7, 9])
        #expect(printed.count == 1)
        #expect(printed.first?.hasPrefix("1 is left out: data[1].id (line 1, column") == true)
    }

    @Test("An invalid remainder of a document throws an error when the loop over its elements ends")
    func declarationErrors() throws {
        var reader = decoder.elements(Product.self, from: Data(#"{"a":[{"id":7}],"b":tru}"#.utf8), at: "a")
        #expect(try reader.next()?.id == 7)
        #expect(throws: DecodingError.self) { try reader.next() }
    }
}
