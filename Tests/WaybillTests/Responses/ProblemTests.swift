import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Typed problems")
struct ProblemTests {
    struct Complaint: Decodable, Sendable, Equatable { let code: String }
    struct Details: Decodable, Sendable, Equatable { let fields: [String] }
    struct Slack: Decodable, Sendable, Equatable { let ok: Bool, error: String? }

    struct Problematic: CustomTestStringConvertible {
        let testDescription: String
        let stubbed: StubResponse
        let complaint: Complaint?
        var details: Details?
        var isFailure = true
    }

    @Test(
        "A failed response's body is decoded as the problem declared for its status",
        arguments: [
            Problematic(
                testDescription: "any failure",
                stubbed: .json(#"{"code":"x"}"#, status: 500),
                complaint: Complaint(code: "x")
            ),
            Problematic(
                testDescription: "a status with its own problem",
                stubbed: .json(#"{"errors":{"fields":["a"]}}"#, status: 422),
                complaint: nil,
                details: Details(fields: ["a"])
            ),
            Problematic(
                testDescription: "a status with its own problem, but the general body",
                stubbed: .json(#"{"code":"x"}"#, status: 422),
                complaint: Complaint(code: "x")
            ),
            Problematic(
                testDescription: "JSON with another media type",
                stubbed: .text(#"{"code":"x"}"#, status: 500),
                complaint: Complaint(code: "x")
            ),
            Problematic(
                testDescription: "a text",
                stubbed: .text("x", status: 500),
                complaint: nil
            ),
            Problematic(
                testDescription: "a body of another shape",
                stubbed: .json(#"{"kode":"x"}"#, status: 400),
                complaint: nil
            ),
            Problematic(
                testDescription: "a success with an error under a key",
                stubbed: .json(#"{"failure":{"code":"x"}}"#),
                complaint: Complaint(code: "x")
            ),
            Problematic(
                testDescription: "a success without one",
                stubbed: .json(#"{"failure":null}"#),
                complaint: nil,
                isFailure: false
            ),
        ]
    )
    func problems(_ row: Problematic) async {
        let shop = Shop(responses: ["GET a": .response(row.stubbed)]) {
            Problem(Complaint.self)
            Problem(Complaint.self, on: .success, at: "failure")
        }
        let endpoint: Endpoint<Void> = shop.endpoint {
            GET("a")
            Problem(Details.self, on: 422, at: "errors")
        }
        let error = await failure { try await endpoint.send() }
        #expect((error != nil) == row.isFailure)
        #expect(error?.problem(as: Complaint.self) == row.complaint)
        #expect(error?.problem(as: Details.self) == row.details)
    }

    @Test("A 200 response whose body meets a Problem's condition is a failure")
    func conditionalProblem() async throws {
        let shop = Shop(responses: [
            "GET bad": .json(#"{"ok":false,"error":"no_auth"}"#), "GET good": .json(#"{"ok":true,"id":1,"name":"L"}"#),
        ]) {
            Problem(Slack.self, on: .success, when: { !$0.ok })
        }
        #expect(try await shop.client.get("good", as: Product.self).id == 1)
        let error = await failure { try await shop.client.get("bad", as: Product.self) }
        #expect(error?.problem(as: Slack.self)?.error == "no_auth")
        #expect(error?.status == 200)
    }
}
