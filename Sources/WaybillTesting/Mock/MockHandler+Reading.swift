import Foundation
import Waybill
import WaybillDescription

extension MockHandler {
    func read(_ request: ReceivedRequest, _ id: String?, _ segments: [String]) -> StubResponse {
        let path = (id == nil ? segments : segments.dropLast()).joined(separator: "/")
        let stored = store.update(path) { collection in
            collection.index(of: id ?? "").map { collection.items[$0].value }
        }
        // A resource that exists once is there without a seed.
        let first: JSONValue? = id == nil ? .some(operation.schemas.example(of: operation.value)) : .none
        guard let value = stored ?? first else { return operation.problem(404, "There is no entity \(id ?? path).") }
        return conditional(request, value, operation.response(value))
    }

    func list(_ request: ReceivedRequest, _ path: String) -> StubResponse {
        let values = store.update(path) { collection in collection.items.map(\.value) }
        guard let paging = operation.paging else {
            return conditional(request, .array(values), operation.response(.array(values)))
        }
        let page = MockPage(values, request, paging)
        var response = operation.response(.array(page.values), paging: page.members)
        for (name, value) in page.headerFields { response = response.header(name, value) }
        return conditional(request, .array(page.values), response)
    }

    private func conditional(
        _ request: ReceivedRequest,
        _ value: JSONValue,
        _ response: StubResponse
    ) -> StubResponse {
        if let condition = request.headerFields[.ifNoneMatch], condition.names(value.entityTag) {
            return StubResponse.status(304).header("ETag", value.entityTag)
        }
        return response.header("ETag", value.entityTag)
    }
}
