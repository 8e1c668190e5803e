import Foundation
import TestSupport
import Testing
import Waybill
import WaybillOperations

/// The processes of an OGC API Processes server (part 1, version 1.0), which runs them as jobs.
private struct Processes: API {
    struct Output: Codable, Sendable, Equatable { let value: String }

    struct Job: Decodable, Sendable {
        let status: String
        let message: String
    }

    let client: Client

    /// Returns its input after a pause.
    ///
    /// Without an input, the job fails.
    func echo(_ input: String?, pause seconds: Double = 0.5) -> Endpoint<Output> {
        endpoint {
            POST("processes/echo/execution")
            Header(.prefer, "respond-async")
            Body(Execution(inputs: Execution.Inputs(echoInput: input, pause: seconds)))
            Problem(Job.self)
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
                polling: .constant(.milliseconds(50)),
                cancel: .delete
            )
        }
    }

    func job(_ id: String) -> Endpoint<Job> { endpoint { GET("jobs/\(id)") } }

    private struct Execution: Encodable, Sendable {
        struct Inputs: Encodable, Sendable {
            let echoInput: String?
            let pause: Double
        }

        let inputs: Inputs
    }
}

@Suite("pygeoapi processes", .running(.processes), .inTurn, .safetyNet)
struct ProcessTests {
    private func processes(over transport: TransportUnderTest = TransportUnderTest.all[0]) -> Processes {
        Processes(client: Client(Server.processes.url, transport: transport.transport))
    }

    @Test("A job runs, reports its progress, and returns its result", arguments: TransportUnderTest.all)
    func result(over transport: TransportUnderTest) async throws {
        let statuses = Locked<[LongRunning.Status]>([])
        let output = try await processes(over: transport).echo("Test").send { status in
            statuses.withLock { $0.append(status) }
        }
        #expect(output == Processes.Output(value: "Test"))
        let all = statuses.withLock { $0 }
        // The first status comes from the response to the initial request, which contains no state.
        #expect(all.first?.state == nil)
        #expect(all.last?.state == "successful")
        #expect(all.last?.fractionDone == 1)
        // The reported progress depends on when the status is polled.
        let between = all.dropFirst().dropLast()
        #expect(between.allSatisfy { ["accepted", "running"].contains($0.state) && $0.fractionDone ?? 1 < 1 })
        #expect(between.map(\.fractionDone) == between.map(\.fractionDone).sorted { $0 ?? 0 < $1 ?? 0 })
    }

    @Test("A failed job throws a failure with the server's message")
    func failed() async throws {
        let failure = try await failure { try await processes().echo(nil).send() }
        #expect(failure.status == 200)
        #expect(failure.problem(as: Processes.Job.self)?.status == "failed")
        #expect(failure.problem(as: Processes.Job.self)?.message.contains("without echo value") == true)
    }

    @Test("Executing an unknown process fails before a job exists")
    func unknown() async throws {
        let client = processes().client
        let endpoint: Endpoint<Processes.Output> = client.endpoint {
            POST("processes/none/execution")
            Body(["inputs": [String: String]()])
            LongRunning.location
        }
        let failure = try await failure { try await endpoint.send() }
        #expect(failure.status == 404)
    }

    @Test("A token lets a second call fetch the result without executing the process again")
    func continued() async throws {
        let saved = Locked<LongRunning.Token?>(nil)
        let first = try await processes().echo("42").send { status in saved.withLock { $0 = $0 ?? status.token } }
        let encoded = try JSONEncoder().encode(try #require(saved.withLock { $0 }))
        let token = try JSONDecoder().decode(LongRunning.Token.self, from: encoded)
        let methods = SentMethods()
        let client = Client(Server.processes.url) { Observe(methods) }
        let second = try await Processes(client: client).echo("42").send(continuing: token) { _ in }
        #expect(first == second)
        #expect(methods.all == [.get, .get])
    }

    @Test("Canceling a call dismisses its job")
    func dismissed() async throws {
        let processes = processes()
        let (statuses, continuation) = AsyncStream.makeStream(of: LongRunning.Status.self)
        let call = Task { try await processes.echo("Test", pause: 42.5).send { continuation.yield($0) } }
        var id = ""
        for await status in statuses where status.state != nil {
            id = status.token.url.lastPathComponent
            break
        }
        #expect(try await processes.job(id).send().status == "accepted")
        call.cancel()
        let error = await #expect(throws: APIError.self) { try await call.value }
        if case .cancelled = error {} else { Issue.record("\(String(describing: error))") }
        let failure = try await failure { try await processes.job(id).send() }
        #expect(failure.status == 404)
    }
}

/// The methods of all sent requests.
private final class SentMethods: CallObserver {
    private let methods = Locked<[HTTPRequest.Method]>([])

    var all: [HTTPRequest.Method] { methods.withLock { $0 } }

    func observe(_ event: CallEvent) {
        if case .sent = event.kind { methods.withLock { $0.append(event.method) } }
    }
}
