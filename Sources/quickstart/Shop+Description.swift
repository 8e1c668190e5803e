import Foundation
import Waybill
import WaybillDescription

/// The calls of the shop, with example values. `swift run quickstart --openapi` prints them as an OpenAPI document.
extension Shop: DescribedAPI {
    var calls: APIDescription {
        products
        products.endpoints.create(Product.Draft(name: "Desk lamp", price: 30))
        reviews(of: 7)
        addPhoto(Data(), of: 7)
        search("lamp", below: 50)
        profile
    }
}
