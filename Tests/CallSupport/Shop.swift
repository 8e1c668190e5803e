import Foundation
import Testing
import Waybill
import WaybillTesting

/// The API used by most tests.
package struct Shop: API {
    package let client: Client

    package init(_ transport: some Transport = StubTransport([:]), @Scope.Builder _ clauses: () -> Scope = { Scope() })
    {
        client = Client(Shop.url, transport: transport, clauses)
    }

    package init(responses: StubResponses, @Scope.Builder _ clauses: () -> Scope = { Scope() }) {
        self.init(StubTransport(responses), clauses)
    }

    package static let url = URL(string: "https://shop.example/v1") ?? URL(fileURLWithPath: "/")

    package var products: Resource<Product, ReadWrite> { resource("products") }
}

package struct Product: Entity, Equatable {
    package let id: Int
    package var name: String
    package var price: Decimal?

    package struct Draft: Encodable, Sendable {
        package var name: String
        package var price: Decimal?

        package init(name: String, price: Decimal? = nil) {
            self.name = name
            self.price = price
        }
    }

    package struct Patch: Encodable, Sendable {
        package var name: Nullable<String> = .absent
        package var price: Nullable<Decimal> = .absent

        package init(name: Nullable<String> = .absent, price: Nullable<Decimal> = .absent) {
            self.name = name
            self.price = price
        }
    }

    package init(id: Int, name: String, price: Decimal? = nil) {
        self.id = id
        self.name = name
        self.price = price
    }
}

package struct Profile: Representation, Equatable {
    package var name: String
    package var nickname: String?

    package init(name: String, nickname: String? = nil) {
        self.name = name
        self.nickname = nickname
    }
}

/// Returns a plan as text: the request line, the header fields except the usual `Accept`, and the body.
package func text(of plan: Call.Plan) -> String {
    var lines = ["\(plan.method) \(plan.url.absoluteString)"]
    lines += plan.headerFields.filter { $0.description != "Accept: application/json" }.map(\.description)
    if let body = plan.body?.bytes { lines.append(String(decoding: body, as: UTF8.self)) }
    return lines.joined(separator: "\n")
}

/// Returns the error that a closure throws; nil if it succeeds.
///
/// An error of another type fails the test.
package func failure<Value>(_ work: () async throws -> Value) async -> APIError? {
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
