import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("BodyLimits: how much of a body is read")
struct BodyLimitsTests {
    private static let text = Answer.json("\"0123456789\"")

    private static func get(
        _ answer: Answer,
        @ScopeBuilder _ clauses: () -> Scope
    ) async -> Result<String, APIError> {
        let client = Client(Shop.url, transport: StubTransport(["GET a": .answer(answer)]), clauses)
        do throws(APIError) {
            return .success(try await client.get("a", as: String.self))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        "A successful body may have as many bytes as that, and not one more",
        arguments: [text, text.chunked(size: 3), text.dripped(bytes: 5, every: .zero)]
    )
    func success(answer: Answer) async throws {
        #expect(try await Self.get(answer) { BodyLimits(success: 12) }.get() == "0123456789")
        guard case .failure(.transport(let failure)) = await Self.get(answer, { BodyLimits(success: 11) }) else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
        #expect(
            failure.description == """
                GET a got no response: the body is too large: it has more than 11 bytes; declare \
                BodyLimits(success:) to read more
                  https://shop.example/v1/a
                """
        )
    }

    @Test("A body that says how long it is, is not read at all")
    func lengthInAdvance() async {
        let answer = Self.text.bodyNever()
        guard case .failure(.transport(let failure)) = await Self.get(answer, { BodyLimits(success: 11) }) else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
    }

    @Test(
        "Of a failed body the first bytes are kept, and it says whether there were more",
        arguments: [
            (12, "\"0123456789\"", false), (11, "\"0123456789", true), (5, "\"0123", true), (0, "", true),
        ]
    )
    func failure(limit: Int, body: String, isTruncated: Bool) async {
        for answer in [
            Answer.json("\"0123456789\"", status: 400),
            .json("\"0123456789\"", status: 400).chunked(size: 3),
        ] {
            let result = await Self.get(answer) { BodyLimits(success: 1, failure: limit) }
            guard case .failure(.status(let failure)) = result else {
                Issue.record("expected a failed status")
                return
            }
            #expect(String(decoding: failure.body, as: UTF8.self) == body)
            #expect(failure.isBodyTruncated == isTruncated)
        }
    }

    @Test("Without BodyLimits 256 KiB of a failed body are kept, and all of a successful one", arguments: [200, 400])
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

    @Test("A nearer one takes the place of what it says, and no more; none takes it away")
    func scopes() async throws {
        let stub = StubTransport(["GET a": .answer(Self.text), "GET b": .json("\"0123\"", status: 400)])
        let client = Client(Shop.url, transport: stub) { BodyLimits(success: 5, failure: 3) }
        let text = try await client.get("a", as: String.self) { BodyLimits(success: 20) }
        #expect(text == "0123456789")
        #expect(try await client.get("a", as: String.self) { BodyLimits.none } == text)
        let error = await WaybillTests.failure { () async throws(APIError) in
            try await client.get("b", as: String.self) { BodyLimits(success: 20) }
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

    @Test("A negative number is a mistake")
    func mistakes() async {
        guard case .failure(.request(let failure)) = await Self.get(Self.text, { BodyLimits(success: -1, failure: -2) })
        else {
            Issue.record("expected mistakes")
            return
        }
        #expect(
            failure.mistakes.map(\.description) == [
                "BodyLimits(success: -1): no body is that short; give the number of bytes, zero or more",
                "BodyLimits(failure: -2): no body is that short; give the number of bytes, zero or more",
            ]
        )
    }
}
