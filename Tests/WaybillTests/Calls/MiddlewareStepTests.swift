import CallSupport
import Foundation
import Testing
import WaybillTesting

@testable import Waybill

/// Call state that bypasses a middleware, even if the middleware returns a response that it created.
@Suite("Middleware that replaces responses")
struct MiddlewareStepTests {
    /// Replaces the response of the remaining steps.
    private struct Replacing: Middleware {
        let response: @Sendable (HTTPResponse) -> HTTPResponse

        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            response(try await next(request))
        }
    }

    private let stub = StubTransport(["GET a": .sequence([.status(500), .json("1")])])
    private let retry = Retry(attempts: 2, backoff: .none)

    @Test("A body that a middleware substitutes for a response body is read")
    func replacedBody() async throws {
        let client = Client(Shop.url, transport: stub) {
            Use(
                Replacing { response in
                    var response = response
                    response.body = HTTPBody(
                        AsyncStream { continuation in
                            continuation.yield(Data("2".utf8))
                            continuation.finish()
                        }
                    )
                    return response
                }
            )
            retry
        }
        #expect(try await client.get("a", as: Int.self) == 2)
    }

    @Test("A failure for a response that a middleware created has the attempt number and the earlier failures")
    func ownResponse() async throws {
        let client = Client(Shop.url, transport: stub) {
            Use(Replacing { _ in HTTPResponse(status: 404) })
            retry
        }
        let error = await #expect(throws: APIError.self) { try await client.get("a", as: Int.self) }
        #expect(error?.call.attempt == 2)
        #expect(error?.call.earlierFailures.count == 1)
        guard case .status(let failure)? = error else {
            Issue.record("expected a status")
            return
        }
        #expect(failure.status == 404)
    }

    @Test("A failed response from a middleware that sends nothing has redacted header fields")
    func unsent() async throws {
        struct Stopping: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                HTTPResponse(
                    status: 403,
                    headerFields: [HTTPField(name: .location, value: "https://b.example/s3cret-key")]
                )
            }
        }
        let client = Client(Shop.url, transport: stub) {
            Use(Stopping())
            Authorization(.bearer("s3cret-key"))
        }
        let error = await #expect(throws: APIError.self) { try await client.get("a", as: Int.self) }
        guard case .status(let failure)? = error else {
            Issue.record("expected a status")
            return
        }
        #expect(!"\(failure.headerFields)".contains("s3cret-key"))
        #expect(stub.requests.isEmpty)
    }

    @Test("A response that a middleware chooses among several is attributed to the request that received it")
    func chosen() async throws {
        struct First: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var (one, other) = (request, request)
                one.headerFields[.authorization] = "Bearer one"
                other.headerFields[.authorization] = "Bearer other"
                let response = try await next(one)
                _ = try await next(other)
                return response
            }
        }
        let plan = try Client(Shop.url, transport: stub).endpoint { GET("a") }.plan()
        let response = try await MiddlewareStep(middleware: First())
            .handle(plan.request, of: Call(plan: plan)) { (request) async throws(APIError) in
                CallResponse(HTTPResponse(status: 200), to: request)
            }
        #expect(response.request?.headerFields[.authorization] == "Bearer one")
    }

    @Test("A response that a middleware keeps from an earlier call is not attributed to the next call's request")
    func kept() async throws {
        struct Keeping: Middleware {
            let first = Locked<HTTPResponse?>(nil)

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                let response = try await next(request)
                return first.withLock { first in
                    defer { first = first ?? response }
                    return first ?? response
                }
            }
        }
        let plan = try Client(Shop.url, transport: stub).endpoint { GET("a") }.plan()
        let step = MiddlewareStep(middleware: Keeping())
        let next: CallStep.Next = { (request) async throws(APIError) in
            CallResponse(HTTPResponse(status: 200), to: request)
        }
        let first = try await step.handle(plan.request, of: Call(plan: plan), next: next)
        let second = try await step.handle(plan.request, of: Call(plan: plan), next: next)
        #expect(first.request != nil)
        #expect(second.request == nil)
    }

    @Test("A response that a middleware creates is not attributed to any request, so no cache stores it")
    func made() async throws {
        let plan = try Client(Shop.url, transport: stub).endpoint { GET("a") }.plan()
        let response = try await MiddlewareStep(middleware: Replacing { _ in HTTPResponse(status: 200) })
            .handle(plan.request, of: Call(plan: plan)) { (request) async throws(APIError) in
                CallResponse(HTTPResponse(status: 200), to: request)
            }
        #expect(response.request == nil)
    }
}
