import Foundation
import Testing
import Waybill
import WaybillTesting

/// The API that most tests declare.
struct Shop: API {
    let client: Client

    init(_ transport: some Transport = StubTransport([:]), @Scope.Builder _ clauses: () -> Scope = { Scope() }) {
        client = Client(Shop.url, transport: transport, clauses)
    }

    init(responses: StubResponses, @Scope.Builder _ clauses: () -> Scope = { Scope() }) {
        self.init(StubTransport(responses), clauses)
    }

    static let url = URL(string: "https://shop.example/v1") ?? URL(fileURLWithPath: "/")

    var products: Resource<Product, ReadWrite> { resource("products") }
}

struct Product: Entity, Equatable {
    let id: Int
    var name: String
    var price: Decimal?

    struct Draft: Encodable, Sendable {
        var name: String
        var price: Decimal?
    }

    struct Patch: Encodable, Sendable {
        var name: Nullable<String> = .absent
        var price: Nullable<Decimal> = .absent
    }
}

struct Profile: Representation, Equatable {
    var name: String
    var nickname: String?
}

/// Returns a plan as text: the request line, the header fields except the usual `Accept`, and the body.
func text(of plan: Plan) -> String {
    var lines = ["\(plan.method) \(plan.url.absoluteString)"]
    lines += plan.headerFields.filter { $0.description != "Accept: application/json" }.map(\.description)
    if let body = plan.body?.bytes { lines.append(String(decoding: body, as: UTF8.self)) }
    return lines.joined(separator: "\n")
}

/// Returns the error that work throws; nil if it succeeds.
///
/// An error of another type fails the test.
func failure<Value>(_ work: () async throws -> Value) async -> APIError? {
    do {
        _ = try await work()
        return nil
    } catch let error as APIError {
        return error
    } catch {
        Issue.record(error, "not an APIError")
        return nil
    }
}
