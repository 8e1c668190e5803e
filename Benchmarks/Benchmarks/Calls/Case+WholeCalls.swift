import Foundation

extension Case {
    /// Whole calls, beside what nobody can do without: decoding the same bytes.
    static func wholeCalls(to url: URL) -> [Case] {
        let shop = Shop(url, answering: Answers.one)
        let list = Shop(url, answering: Answers.page)
        let decode = Subject("bare decode") { try Answers.decoder.decode(Answers.One.self, from: Answers.one).data }
        let decodeByWaybill = Subject("WaybillJSONDecoder") {
            try Answers.waybillDecoder.decode(Answers.One.self, from: Answers.one).data
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
                        let body = try Answers.encoder.encode(Product.Draft.lamp)
                        guard !body.isEmpty else { throw CocoaError(.coderInvalidValue) }
                        return try Answers.decoder.decode(Answers.One.self, from: Answers.one).data
                    },
                    Subject("waybill") { try await shop.products.create(.lamp) },
                ]
            ),
            Case(
                "page of 20",
                [
                    Subject("bare decode") {
                        let page = try Answers.decoder.decode(Answers.Page.self, from: Answers.page)
                        return page.meta.next == nil ? [] : page.data
                    },
                    Subject("WaybillJSONDecoder") {
                        let page = try Answers.waybillDecoder.decode(Answers.Page.self, from: Answers.page)
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
