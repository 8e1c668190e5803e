import Foundation
import Waybill

/// Response bodies, and JSON coders for measurements without a client.
enum ResponseBodies {
    /// One product in an envelope.
    static let one = Data(#"{"data":{"id":7,"name":"Lamp","price":30.5,"isAvailable":true}}"#.utf8)

    /// Twenty products and the cursor of the next page.
    static let page: Data = {
        let products = (1...20).map { #"{"id":\#($0),"name":"Lamp \#($0)","price":30.5,"isAvailable":true}"# }
        return Data(#"{"data":[\#(products.joined(separator: ","))],"meta":{"next":"abc"}}"#.utf8)
    }()

    struct One: Decodable {
        let data: Product
    }

    struct Page: Decodable {
        struct Meta: Decodable { let next: String? }
        let data: [Product]
        let meta: Meta
    }

    /// Foundation's decoder, configured like Waybill's default decoder.
    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .waybillISO8601
        return decoder
    }()

    /// The decoder that Waybill uses by default.
    static let waybillDecoder: WaybillJSONDecoder = {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// Foundation's encoder, configured like Waybill's default encoder.
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .waybillISO8601
        return encoder
    }()
}
