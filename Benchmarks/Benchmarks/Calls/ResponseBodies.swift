import Foundation
import Waybill

/// The bodies of the server's responses, and the decoders of a program without Waybill.
enum ResponseBodies {
    /// One product in an envelope.
    static let one = Data(#"{"data":{"id":7,"name":"Lamp","price":30.5,"isAvailable":true}}"#.utf8)

    /// Twenty products and the link to the next page.
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

    /// An encoder that is configured as Waybill's own is.
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .waybillISO8601
        return encoder
    }()
}
