import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

/// Errors of an app-defined type that a middleware throws instead of returning failed responses.
@Suite("App-defined error types")
struct OwnErrorTests {
    struct NoSuchProduct: Error, LocalizedError {
        var errorDescription: String? { "We do not sell this." }
    }

    struct Own: Middleware {
        let givesStatus: Bool

        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            let response = try await next(request)
            guard response.status.kind != .successful else { return response }
            throw call.failure(NoSuchProduct(), status: givesStatus ? response.status : nil)
        }
    }

    private func error(_ status: HTTPResponse.Status, givesStatus: Bool) async -> APIError? {
        let stub = StubTransport { _ in .status(status) }
        let shop = Shop(stub) { Use(Own(givesStatus: givesStatus)) }
        return await failure { try await shop.products.read(7) }
    }

    @Test(
        "An app-defined error that carries the response's status preserves status and isNotFound",
        arguments: [(404, true), (410, true), (500, false), (403, false)]
    )
    func status(code: Int, isNotFound: Bool) async throws {
        let status = HTTPResponse.Status(code: code)
        let error = await error(status, givesStatus: true)
        guard case .middleware(let failure)? = error else {
            Issue.record("expected a middleware's error, got \(String(describing: error))")
            return
        }
        #expect(failure.underlying is NoSuchProduct)
        #expect(error?.status == status)
        #expect(error?.isNotFound == isNotFound)
        #expect(error?.localizedDescription == "We do not sell this.")
        #expect(error?.description.contains("was stopped by a middleware after \(status): NoSuchProduct()") == true)
    }

    @Test("An app-defined error without a status has a nil status")
    func noStatus() async {
        let error = await error(404, givesStatus: false)
        #expect(error?.status == nil)
        #expect(error?.isNotFound == false)
        #expect(error?.description.contains("was stopped by a middleware: NoSuchProduct()") == true)
    }
}
