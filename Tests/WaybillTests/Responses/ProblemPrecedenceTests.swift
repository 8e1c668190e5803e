import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Precedence of problems and successes")
struct ProblemPrecedenceTests {
    private struct Complaint: Decodable, Sendable, Equatable {
        let ok: Bool?
        let error: String?
    }

    private func shop(_ status: Int, _ body: String, @Scope.Builder _ clauses: () -> Scope) -> Shop {
        Shop(responses: ["GET a": .json(body, status: .init(code: status))], clauses)
    }

    @Test("A status that an inner Success declares is not a failure for an outer Problem")
    func innerSuccess() async throws {
        let shop = shop(422, #"{"error":"x"}"#) { Problem(Complaint.self) }
        let value = try await shop.client.get("a", as: Complaint.self) { Success(.success, 422) }
        #expect(value == Complaint(ok: nil, error: "x"))
    }

    @Test("An outer Problem on success still applies if an inner Success does not add its status")
    func problemOfSuccess() async {
        let shop = shop(200, #"{"ok":false,"error":"x"}"#) {
            Problem(Complaint.self, on: .success, when: { $0.ok == false })
        }
        let error = await failure {
            try await shop.client.get("a", as: Complaint.self) { Success(.success, 304) }
        }
        #expect(error?.problem(as: Complaint.self)?.error == "x")
    }

    @Test("A Problem in a scope inside the Success takes precedence")
    func innerProblem() async {
        let shop = shop(422, #"{"error":"x"}"#) { Success(.success, 422) }
        let error = await failure {
            try await shop.client.get("a", as: Complaint.self) { Problem(Complaint.self, on: 422) }
        }
        #expect(error?.problem(as: Complaint.self)?.error == "x")
    }

    @Test("Problem.none removes the problems of outer scopes but not those of its own scope")
    func none() async throws {
        let shop = shop(404, #"{"error":"x"}"#) { Problem(Complaint.self) }
        let without = await failure {
            try await shop.client.get("a", as: Int.self) { Problem.none }
        }
        #expect(without?.status == 404)
        #expect(without?.problem(as: Complaint.self) == nil)
        struct Other: Decodable, Sendable { let error: String }
        let with = await failure {
            try await shop.client.get("a", as: Int.self) {
                Problem.none
                Problem(Other.self)
            }
        }
        #expect(with?.problem(as: Other.self)?.error == "x")
        let endpoint: Endpoint<Int> = shop.endpoint {
            GET("a")
            Problem.none
        }
        #expect(try endpoint.explanation.contains(/Problem: none +endpoint/))
    }

    @Test(
        "A problem can declare an equivalent status",
        arguments: [
            ("channel_not_found", APIError.StatusFailure.Category.notFound), ("token_revoked", .unauthorized),
            ("x", .other),
        ]
    )
    func equivalents(name: String, category: APIError.StatusFailure.Category) async {
        let shop = shop(200, #"{"ok":false,"error":"\#(name)"}"#) {
            Problem(
                Complaint.self,
                on: .success,
                when: { $0.ok == false },
                equivalentTo: { problem in
                    switch problem.error {
                    case "channel_not_found": 404
                    case "token_revoked": 401
                    default: nil
                    }
                }
            )
        }
        let error = await failure { try await shop.client.get("a", as: Int.self) }
        guard case .status(let failure) = error else {
            Issue.record("expected a status failure, got \(String(describing: error))")
            return
        }
        #expect(failure.category == category)
        #expect(error?.isNotFound == (category == .notFound))
        #expect(failure.status == 200)
    }

    @Test(
        "A problem's integer status is its equivalent status if it is a valid status code",
        arguments: [
            ("404", APIError.StatusFailure.Category.notFound), ("410", .notFound), ("401", .unauthorized),
            ("200", .other), ("599", .serverError), ("null", .clientError), ("0", .clientError),
            ("-404", .clientError), ("600", .clientError), ("40401", .clientError),
            ("9223372036854775807", .clientError),
        ]
    )
    func integerEquivalents(code: String, category: APIError.StatusFailure.Category) async throws {
        struct Numbered: Decodable, Sendable { let status: Int? }
        for isClosure in [true, false] {
            let shop = shop(418, #"{"status":\#(code)}"#) {
                isClosure
                    ? Problem(Numbered.self, equivalentTo: { $0.status })
                    : Problem(Numbered.self, equivalentTo: \.status)
            }
            let error = await failure { try await shop.client.get("a", as: Int.self) }
            guard case .status(let failure) = error else {
                Issue.record("expected a status failure, got \(String(describing: error))")
                return
            }
            #expect(failure.category == category)
            #expect(failure.status == 418)
        }
    }
}
