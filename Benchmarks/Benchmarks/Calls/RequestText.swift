import Foundation
import Waybill

/// A textual form of a request, for comparing requests.
struct RequestText: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ request: HTTPRequest) {
        self.init(request.method, request.url, request.headerFields, request.body)
    }

    init(_ plan: Call.Plan) { self.init(plan.method, plan.url, plan.headerFields, plan.body) }

    private init(
        _ method: HTTPRequest.Method,
        _ url: URL,
        _ fields: HTTPFields,
        _ body: HTTPBody?
    ) {
        let body = String(decoding: body?.bytes ?? Data(), as: UTF8.self)
        description = (["\(method) \(url)"] + fields.map { "\($0.name): \($0.value)" } + [body])
            .joined(separator: "\n")
    }
}
