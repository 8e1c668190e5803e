import Foundation

extension Case {
    /// Returns cases for whole calls, compared with the minimum work: decoding the same bytes.
    static func wholeCalls(to url: URL) -> [Case] {
        let shop = Shop(url, responseBody: ResponseBodies.one)
        let list = Shop(url, responseBody: ResponseBodies.page)
        let decode = Subject("bare decode") {
            try ResponseBodies.decoder.decode(ResponseBodies.One.self, from: ResponseBodies.one).data
        }
        let decodeByWaybill = Subject("WaybillJSONDecoder") {
            try ResponseBodies.waybillDecoder.decode(ResponseBodies.One.self, from: ResponseBodies.one).data
        }
        return [
            Case("read", [decode, decodeByWaybill, Subject("waybill") { try await shop.products.read(7) }]),
            Case(
                "path, query and header",
                [
                    decode, decodeByWaybill,
                    Subject("waybill") { try await shop.review(of: 7, by: "J. Doe", limit: 20).send() },
                ]
            ),
            Case(
                "create",
                [
                    decode,
                    decodeByWaybill,
                    Subject("bare encode and decode") {
                        let body = try ResponseBodies.encoder.encode(Product.Draft.lamp)
                        guard !body.isEmpty else { throw CocoaError(.coderInvalidValue) }
                        return try ResponseBodies.decoder.decode(ResponseBodies.One.self, from: ResponseBodies.one).data
                    },
                    Subject("waybill") { try await shop.products.create(.lamp) },
                ]
            ),
            Case(
                "page of 20",
                [
                    Subject("bare decode") {
                        let page = try ResponseBodies.decoder.decode(
                            ResponseBodies.Page.self,
                            from: ResponseBodies.page
                        )
                        return page.meta.next == nil ? [] : page.data
                    },
                    Subject("WaybillJSONDecoder") {
                        let page = try ResponseBodies.waybillDecoder.decode(
                            ResponseBodies.Page.self,
                            from: ResponseBodies.page
                        )
                        return page.meta.next == nil ? [] : page.data
                    },
                    Subject("waybill") {
                        let page = try await list.products.page()
                        return page.hasMore ? page.items : []
                    },
                ]
            ),
        ]
    }
}
