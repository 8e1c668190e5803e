import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillOperations
import WaybillTesting
import WaybillTransfers

@Suite("Mock servers with long-running operations")
struct MockOperationTests {
    private struct Report: Codable, Sendable, Equatable { let id: Int }

    /// A server convention for long-running operations.
    private enum Kind: String, CaseIterable, Sendable {
        case statusCode, memberResult, statusResult, linkInField, linkInBody, flag, path

        var clause: LongRunning {
            let state = LongRunning.State.member("status", running: ["queued"], done: ["done"], failed: ["failed"])
            return switch self {
            case .statusCode: .location
            case .memberResult:
                LongRunning(
                    at: .field("Operation-Location"),
                    state: state,
                    result: .member("result"),
                    progress: .percent(at: "percent"),
                    cancel: .post(appending: "/cancel")
                )
            case .statusResult: LongRunning(at: .member("links", "self"), state: state, cancel: .delete)
            case .linkInField: LongRunning(at: .field("Location"), state: state, result: .link(.field("Result")))
            case .linkInBody: LongRunning(at: .field("Location"), state: state, result: .link(.member("report")))
            case .flag:
                LongRunning(at: .member("self"), state: .flag("done", failure: "error"), result: .member("response"))
            case .path:
                LongRunning(at: .path(at: "name", to: { "jobs/\($0)" }), state: state, result: .member("result"))
            }
        }
    }

    private struct Reports: DescribedAPI {
        let client: Client
        let clause: LongRunning

        init(
            _ url: URL = URL(filePath: "/"),
            transport: some Transport = .default,
            _ clause: LongRunning,
            outer: LongRunning? = nil
        ) {
            client = Client(url, transport: transport) {
                if let outer { outer }
                Envelope("data")
                Compressed(.gzip, minimumBytes: 1)
            }
            self.clause = clause
        }

        var make: Endpoint<Report> {
            endpoint {
                POST("reports")
                Body(["month": "2026-11"])
                clause
            }
        }

        var calls: APIDescription { make }
    }

    @Test(
        "An operation in each declared convention runs, completes and returns a result that decodes",
        arguments: Thoroughness.some(Kind.allCases, oneIn: 3)
    )
    private func run(kind: Kind) async throws {
        let url = try #require(URL(string: "https://shop.example"))
        let server = try MockServer(Reports(url, kind.clause))
        defer { server.stop() }
        let statuses = Locked<[Double?]>([])
        let report = try await Reports(server.url, kind.clause).make.send { status in
            statuses.withLock { $0.append(status.fractionDone) }
        }
        #expect(report.id > 0)
        #expect(statuses.withLock { $0.count } >= 2)
        if kind == .memberResult { #expect(statuses.withLock { $0 } == [0, 0.5, 1]) }
        // The mock rejects the content coding, and the client resends the body without it.
        let posts = server.requests.filter { $0.method == .post }
        #expect(posts.last?.headerFields[.contentEncoding] == nil)

        let stub = StubTransport(try .mocking(Reports(url, kind.clause)))
        let base = try #require(URL(string: "https://shop.example/api/v1"))
        #expect(try await Reports(base, transport: stub, kind.clause).make.send() == report)
    }

    @Test("The OpenAPI document lists a 202 response with the status location", arguments: Kind.allCases)
    private func document(kind: Kind) throws {
        let url = try #require(URL(string: "https://shop.example"))
        let document = try Reports(url, kind.clause).openAPI(title: "Reports", version: "1").json
        let responses = document["paths"]?["/reports"]?["post"]?["responses"]
        let accepted = try #require(responses?["202"])
        #expect(responses?["200"] != nil)
        #expect(accepted["description"]?.stringValue?.contains("operation") ?? false)
        switch kind {
        case .statusCode, .linkInField, .linkInBody:
            #expect(accepted["headers"]?["Location"]?["schema"]?["format"] == "uri-reference")
        case .memberResult: #expect(accepted["headers"]?["Operation-Location"] != nil)
        case .statusResult, .flag, .path:
            #expect(accepted["content"]?["application/json"]?["schema"]?["properties"] != nil)
        }
    }

    @Test("An operation disabled by an inner scope has no 202 response, and the mock returns the result at once")
    func none() async throws {
        let url = try #require(URL(string: "https://shop.example"))
        let document = try Reports(url, .none, outer: .location).openAPI(title: "Reports", version: "1").json
        let responses = document["paths"]?["/reports"]?["post"]?["responses"]
        #expect(responses?["202"] == nil)
        #expect(responses?["200"] != nil)
        let server = try MockServer(Reports(url, .none, outer: .location))
        defer { server.stop() }
        #expect(try await Reports(server.url, .none, outer: .location).make.send().id > 0)
        #expect(server.requests.allSatisfy { $0.method == .post })
    }
}
