import Foundation
import Waybill

/// What the server answers, and what a program without Waybill would decode it with.
enum Answers {
    /// One product in an envelope.
    static let one = Data(#"{"data":{"id":7,"name":"Lamp","price":30.5,"isAvailable":true}}"#.utf8)

    /// Twenty products and where the next page is.
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

    /// Foundation's decoder, configured as Waybill's own is.
    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .waybillISO8601
        return decoder
    }()

    /// The decoder that Waybill uses.
    static let waybillDecoder: WaybillJSONDecoder = {
        var decoder = WaybillJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// Configured as Waybill's own is.
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .waybillISO8601
        return encoder
    }()
}
