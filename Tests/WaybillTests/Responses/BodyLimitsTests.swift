import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("BodyLimits")
struct BodyLimitsTests {
    private static let text = StubResponse.json("\"0123456789\"")

    private static func get(
        _ response: StubResponse,
        @Scope.Builder _ clauses: () -> Scope
    ) async -> Result<String, APIError> {
        let client = Client(Shop.url, transport: StubTransport(["GET a": .response(response)]), clauses)
        do throws(APIError) {
            return .success(try await client.get("a", as: String.self))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "A successful body can have at most as many bytes as BodyLimits declares",
        arguments: [text, text.chunked(bytes: 3), text.dripped(bytes: 5, every: .zero)]
    )
    func success(response: StubResponse) async throws {
        #expect(try await Self.get(response) { BodyLimits(successBytes: 12) }.get() == "0123456789")
        guard case .failure(.transport(let failure)) = await Self.get(response, { BodyLimits(successBytes: 11) }) else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
        #expect(
            failure.description == """
                GET a got no response: the body is too large: it has more than 11 bytes; declare \
                BodyLimits(successBytes:) to read more
                  https://shop.example/v1/a
                """
        )
    }

    @Test("A body whose Content-Length exceeds BodyLimits is not read")
    func lengthInAdvance() async {
        let response = Self.text.bodyNever()
        guard case .failure(.transport(let failure)) = await Self.get(response, { BodyLimits(successBytes: 11) }) else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
    }

    @Test(
        "A failed response's body is truncated to BodyLimits and marked as truncated",
        arguments: [
            (12, "\"0123456789\"", false), (11, "\"0123456789", true), (5, "\"0123", true), (0, "", true),
        ]
    )
    func failure(limit: Int, body: String, isTruncated: Bool) async {
        for response in [
            StubResponse.json("\"0123456789\"", status: 400),
            .json("\"0123456789\"", status: 400).chunked(bytes: 3),
        ] {
            let result = await Self.get(response) { BodyLimits(successBytes: 1, failureBytes: limit) }
            guard case .failure(.status(let failure)) = result else {
                Issue.record("expected a failed status")
                return
            }
            #expect(String(decoding: failure.body, as: UTF8.self) == body)
            #expect(failure.isBodyTruncated == isTruncated)
        }
    }

    @Test("The default limits keep 256 KiB of a failed body and a successful body in full", arguments: [200, 400])
    func defaults(status: Int) async {
        let long = String(repeating: "a", count: 300 * 1024)
        let result = await Self.get(.json("\"\(long)\"", status: .init(code: status))) {}
        switch result {
        case .success(let text): #expect(status == 200 && text.utf8.count == long.utf8.count)
        case .failure(let error):
            guard case .status(let failure) = error, status == 400 else {
                Issue.record("\(error)")
                return
            }
            #expect(failure.body.count == 256 * 1024)
            #expect(failure.isBodyTruncated)
        }
    }

    @Test("Inner BodyLimits override only the limits that they declare, and BodyLimits.none removes all limits")
    func scopes() async throws {
        let stub = StubTransport(["GET a": .response(Self.text), "GET b": .json("\"0123\"", status: 400)])
        let client = Client(Shop.url, transport: stub) { BodyLimits(successBytes: 5, failureBytes: 3) }
        let text = try await client.get("a", as: String.self) { BodyLimits(successBytes: 20) }
        #expect(text == "0123456789")
        #expect(try await client.get("a", as: String.self) { BodyLimits.none } == text)
        let error = await CallSupport.failure {
            try await client.get("b", as: String.self) { BodyLimits(successBytes: 20) }
        }
        guard case .status(let failure) = error else {
            Issue.record("expected a failed status")
            return
        }
        #expect(failure.body.count == 3)
        let endpoint: Endpoint<String> = client.endpoint {
            GET("a")
            BodyLimits.none
        }
        #expect(
            try endpoint.explanation.contains("BodyLimits: any number of bytes")
                && endpoint.explanation.contains("before client: 5 bytes, 3 bytes of a failure")
        )
    }

    @Test("A negative number in BodyLimits is a declaration error")
    func declarationErrors() async {
        guard
            case .failure(.request(let failure)) = await Self.get(
                Self.text,
                { BodyLimits(successBytes: -1, failureBytes: -2) }
            )
        else {
            Issue.record("expected declaration errors")
            return
        }
        #expect(
            failure.declarationErrors.map(\.description) == [
                "BodyLimits(successBytes: -1): a limit cannot be negative; give zero bytes or more",
                "BodyLimits(failureBytes: -2): a limit cannot be negative; give zero bytes or more",
            ]
        )
    }
}
