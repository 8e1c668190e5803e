import Foundation
import Waybill

extension Case {
    /// Returns cases for declaring and planning a request, compared with building it by hand.
    static func plans(for url: URL) -> [Case] {
        let shop = Shop(url, responseBody: ResponseBodies.one)
        return [
            Case(
                "plan of read",
                [
                    Subject("bare request") {
                        try BareRequest.read(7, from: url)
                    } comparing: {
                        RequestText($0)
                    },
                    Subject("waybill") {
                        try shop.products.endpoints.read(7).plan()
                    } comparing: {
                        RequestText($0)
                    },
                ]
            ),
            Case(
                "three clauses",
                [
                    Subject("declaration") {
                        shop.related(to: 7)
                    } comparing: { _ in
                        "equal"
                    },
                    Subject("plan") { [endpoint = shop.related(to: 7)] in
                        try endpoint.plan()
                    } comparing: { _ in
                        "equal"
                    },
                    Subject("call") {
                        try await shop.related(to: 7).send()
                    } comparing: { _ in
                        "equal"
                    },
                ]
            ),
            Case(
                "plan of path, query and header",
                [
                    Subject("bare request") {
                        try BareRequest.review(of: 7, by: "J. Doe", limit: 20, from: url)
                    } comparing: {
                        RequestText($0)
                    },
                    Subject("waybill") {
                        try shop.review(of: 7, by: "J. Doe", limit: 20).plan()
                    } comparing: {
                        RequestText($0)
                    },
                ]
            ),
            Case(
                "plan of create",
                [
                    Subject("bare request") {
                        try BareRequest.create(.lamp, at: url)
                    } comparing: {
                        RequestText($0)
                    },
                    Subject("waybill") {
                        try shop.products.endpoints.create(.lamp).plan()
                    } comparing: {
                        RequestText($0)
                    },
                ]
            ),
        ]
    }
}
