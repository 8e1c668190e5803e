import Foundation
import Testing
import Waybill
import WaybillOperations
import WaybillTesting

private nonisolated struct Report: Codable, Sendable { let id: Int }

private struct Shop: API {
    let client: Client

    func report(_ month: String) -> Endpoint<Report> {
        endpoint {
            POST("reports")
            Body(["month": month])
            LongRunning(
                at: .field("Operation-Location"),
                state: .member("status", running: ["queued", "running"], done: ["succeeded"], failed: ["failed"]),
                result: .link(.member("result_url")),
                progress: .percent(at: "percent")
            )
        }
    }

    func execution(_ process: String) -> Endpoint<Report> {
        endpoint {
            POST("processes/\(process)/execution")
            Header(.prefer, "respond-async")
            LongRunning(
                at: .field("Location"),
                state: .member(
                    "status",
                    running: ["accepted", "running"],
                    done: ["successful"],
                    failed: ["failed", "dismissed"]
                ),
                result: .link(.path(at: "jobID") { "jobs/\($0)/results" }),
                progress: .percent(at: "progress"),
                cancel: .delete
            )
        }
    }
}

@Suite("LongRunning.md")
struct LongRunningSamples {
    private actor Bar {
        var fraction = 0.0

        func update(_ fraction: Double) { self.fraction = fraction }
    }

    private let stub = StubTransport([
        "POST reports": .status(202).header("Operation-Location", "/jobs/7").header("Retry-After", "0"),
        "GET jobs/7": .sequence([
            .json(#"{"status": "running", "percent": 50}"#).header("Retry-After", "0"),
            .json(#"{"status": "succeeded", "percent": 100, "result_url": "/reports/9"}"#),
        ]),
        "GET reports/9": .json(#"{"id": 9}"#),
    ])

    @Test("A call returns the result of its operation")
    func result() async throws {
        let shop = Shop(client: Client(Sample.url, transport: stub))
        let report = try await shop.report("2026-11").send()
        #expect(report.id == 9)
    }

    @Test("A call returns the result of an OGC API Processes job")
    func job() async throws {
        let stub = StubTransport([
            "POST processes/sum/execution": .status(201).header("Location", "/jobs/7").header("Retry-After", "0"),
            "GET jobs/7": .json(#"{"jobID": "7", "status": "successful", "progress": 100}"#),
            "GET jobs/7/results": .json(#"{"id": 9}"#),
        ])
        #expect(try await Shop(client: Client(Sample.url, transport: stub)).execution("sum").send().id == 9)
    }

    @Test("An operation reports its progress, and its token is saved")
    func progress() async throws {
        let shop = Shop(client: Client(Sample.url, transport: stub))
        let bar = Bar()
        let place = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID())")
        defer { try? FileManager.default.removeItem(at: place) }
        let saved = try? JSONDecoder().decode(LongRunning.Token.self, from: Data(contentsOf: place))
        let report = try await shop.report("2026-11").send(continuing: saved) { status in
            try? JSONEncoder().encode(status.token).write(to: place)
            await bar.update(status.fractionDone ?? 0)
        }
        #expect(report.id == 9)
        #expect(await bar.fraction == 1)
        #expect(FileManager.default.fileExists(atPath: place.path))
    }

    @Test("A call can turn off the operation declared by its client")
    func none() async throws {
        let stub = StubTransport(["POST summaries": .json(#"{"id": 9}"#, status: 202)])
        let client = Client(Sample.url, transport: stub) { LongRunning.location }

        let summary: Endpoint<Report> = client.endpoint {
            POST("summaries")
            LongRunning.none
        }

        #expect(try await summary.response().status == 202)
        #expect(stub.requests.count == 1)
    }
}
