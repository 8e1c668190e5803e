import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Token rejections and credential locations", .inTurn, .safetyNet)
struct RefreshRejectionTests {
    private struct Problem: Decodable { let errcode: String }

    private static func tokens(
        _ refreshed: Notes<String>,
        rejectedBy statuses: HTTPResponse.StatusSet = 401,
        when isRejection: @escaping @Sendable (RefreshingToken.Rejection) -> Bool = { _ in true }
    ) -> RefreshingToken {
        RefreshingToken(.init("t1"), rejectedBy: statuses, when: isRejection) { context in
            refreshed.add(context.token?.value ?? "none")
            return .init("t2")
        }
    }

    @Test("A 401 unrelated to the token does not trigger a refresh")
    func interactive() async throws {
        let refreshed = Notes<String>()
        let tokens = Self.tokens(refreshed) { $0.value(as: Problem.self)?.errcode == "M_UNKNOWN_TOKEN" }
        let stub = StubTransport([
            "DELETE devices/{}": .json(#"{"session":"x","flows":[]}"#, status: 401),
            "GET devices": .sequence([.json(#"{"errcode":"M_UNKNOWN_TOKEN"}"#, status: 401), .json("7")]),
        ])
        let client = Client(sending: tokens, to: stub)
        let error = await failure { try await client.delete("devices/a") }
        #expect(error?.status == 401)
        #expect(stub.requests.count == 1)
        #expect(refreshed.all.isEmpty)
        #expect(try await client.get("devices", as: Int.self) == 7)
        #expect(refreshed.all == ["t1"])
        #expect(stub.requests.map { $0.headerFields[.authorization] } == ["Bearer t1", "Bearer t1", "Bearer t2"])
    }

    @Test("A declared status that rejects the token triggers a refresh, even a success", arguments: [403, 200])
    func otherStatuses(code: Int) async throws {
        let refreshed = Notes<String>()
        let tokens = Self.tokens(refreshed, rejectedBy: [200, 403]) {
            $0.value(as: [String: String].self)?["error"] == "expired"
        }
        let stub = StubTransport([
            "GET a": .sequence([.json(#"{"error":"expired"}"#, status: .init(code: code)), .json(#"{"n":"7"}"#)])
        ])
        let client = Client(sending: tokens, to: stub)
        #expect(try await client.get("a", as: [String: String].self) == ["n": "7"])
        #expect(refreshed.all == ["t1"])
    }

    @Test("A 403 that the condition does not count as a rejection triggers no refresh and keeps its body")
    func otherForbidden() async {
        let refreshed = Notes<String>()
        let tokens = Self.tokens(refreshed, rejectedBy: 403) { $0.challenges.contains { $0.isScheme("Bearer") } }
        let stub = StubTransport(["GET a": .json(#"{"error":"no"}"#, status: 403)])
        let error = await failure {
            try await Client(sending: tokens, to: stub).get("a", as: Int.self)
        }
        guard case .status(let failure) = error else {
            Issue.record("expected a status failure, got \(String(describing: error))")
            return
        }
        #expect(failure.body == Data(#"{"error":"no"}"#.utf8))
        #expect(refreshed.all.isEmpty)
    }

    @Test(
        "A token of any scheme is refreshed, in a header field or in the query",
        arguments: [
            (.scheme("TOKEN", refreshing: tokens(Notes())), "Authorization: TOKEN t2"),
            (.apiKey(header: "X-Session", refreshing: tokens(Notes())), "X-Session: t2"),
            (.apiKey(query: "sid", refreshing: tokens(Notes())), "sid=t2"),
        ] as [(Authorization.Credential, String)]
    )
    func schemes(credential: Authorization.Credential, expected: String) async throws {
        let stub = StubTransport { request in
            let text =
                "\(request.headerFields[.authorization] ?? "") \(request.url.absoluteString) "
                + (request.headerFields["X-Session"] ?? "")
            return text.contains("t2") ? .json("7") : .status(401)
        }
        let client = Client(Shop.url, transport: stub) { Authorization(credential) }
        #expect(try await client.get("a", as: Int.self) == 7)
        let last = try #require(stub.requests.last)
        let lines = last.headerFields.map { "\($0.name): \($0.value)" } + [last.query ?? ""]
        #expect(lines.contains(expected))
        #expect(!"\(credential)".contains("t2"))
    }
}
