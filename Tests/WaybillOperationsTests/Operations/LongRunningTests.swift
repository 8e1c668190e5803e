import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
@testable import WaybillOperations
import WaybillTesting

@testable import Waybill

@Suite("Long-running operations", .inTurn, .safetyNet)
struct LongRunningTests {
    private struct Report: Codable, Sendable, Equatable { let id: Int }
    private struct Kept: Entity, Equatable { let id: Int }
    private struct Fault: Decodable, Sendable, Equatable { let code: String }

    private let url: URL
    private let clock = SkippingClock()

    init() throws { url = try #require(URL(string: "https://shop.example/api")) }

    private func client(_ stub: StubTransport, @Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Client {
        Client(url, transport: stub, clock: clock, clauses)
    }

    private func report(_ client: Client, _ clause: LongRunning) -> Endpoint<Report> {
        client.endpoint {
            POST("reports")
            Body(["month": "11"])
            clause
        }
    }

    private func lines(_ stub: StubTransport) -> [String] {
        stub.requests.map { "\($0.method) \($0.path)\($0.query.map { "?\($0)" } ?? "")" }
    }

    private static let byMember = LongRunning(
        at: .field("Operation-Location"),
        state: .member("status", running: ["queued", "running"], done: ["succeeded"], failed: ["failed"]),
        result: .member("result"),
        progress: .percent(at: "percent")
    )

    // MARK: Where things are

    @Test("With status codes, a 202 with Location leads to 202 responses and then to the result")
    func location() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "/api/jobs/7?t=1"),
            "GET jobs/7": .sequence([.status(202), .status(202), .json(#"{"id": 9}"#)]),
        ])
        #expect(try await report(client(stub), .location).send() == Report(id: 9))
        #expect(
            lines(stub) == ["POST /api/reports", "GET /api/jobs/7?t=1", "GET /api/jobs/7?t=1", "GET /api/jobs/7?t=1"]
        )
        #expect(stub.requests.dropFirst().allSatisfy { $0.body.isEmpty && $0.headerFields[.contentType] == nil })
    }

    @Test("With status codes, a redirect from the status leads to the result")
    func seeOther() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7"),
            "GET jobs/7": .sequence([.status(202), .redirect(to: "/api/reports/9", status: 303)]),
            "GET reports/9": .json(#"{"id": 9}"#),
        ])
        #expect(try await report(client(stub), .location).send() == Report(id: 9))
    }

    @Test("A response other than 202 is the result, with or without a Location", arguments: [200, 201])
    func atOnce(status: Int) async throws {
        let stub = StubTransport([
            "POST reports": .json(#"{"id": 9}"#, status: HTTPResponse.Status(code: status)).header(
                "Location",
                "reports/9"
            )
        ])
        #expect(try await report(client(stub), .location).send() == Report(id: 9))
        #expect(stub.requests.count == 1)
    }

    @Test("With a member, states are compared case-insensitively, and the result is another member")
    func member() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Operation-Location", "https://shop.example/api/jobs/7"),
            "GET jobs/7": .sequence([
                .json(#"{"status": "queued"}"#), .json(#"{"status": "Running", "percent": 40}"#),
                .json(#"{"status": "Succeeded", "percent": 100, "result": {"id": 9}}"#),
            ]),
        ])
        let statuses = Locked<[String]>([])
        let result = try await report(client(stub), Self.byMember).send { status in
            statuses.withLock { $0.append("\(status.state ?? "") \(status.fractionDone ?? -1)") }
        }
        #expect(result == Report(id: 9))
        // The first status comes from the initial response, so that the token can be saved before the first wait.
        #expect(statuses.withLock { $0 } == [" -1.0", "queued -1.0", "Running 0.4", "Succeeded 1.0"])
    }

    @Test("The status URL is in the body, the initial response has a state, and the result has a URL")
    func body() async throws {
        let stub = StubTransport([
            "POST reports": .json(#"{"id": 7, "state": "queued", "links": {"self": "jobs/7"}}"#, status: 201),
            "GET jobs/7": .sequence([
                .json(#"{"state": "working"}"#), .json(#"{"state": "done", "links": {"report": "/api/reports/9"}}"#),
            ]),
            "GET reports/9": .json(#"{"data": {"id": 9}}"#),
        ])
        let clause = LongRunning(
            at: .member("links", "self"),
            state: .member("state", running: nil, done: ["done"], failed: []),
            result: .link(.member("links", "report"))
        )
        let client = client(stub) { Envelope("data") }
        #expect(try await report(client, clause).send() == Report(id: 9))
    }

    @Test("The status path contains an ID from the body, and a flag marks completion")
    func flag() async throws {
        let stub = StubTransport([
            "POST reports": .json(#"{"name": "a/b", "done": false}"#),
            "GET operations/a%2Fb": .sequence([
                .json(#"{"name": "a/b"}"#), .json(#"{"done": true, "response": {"id": 9}}"#),
            ]),
        ])
        let clause = LongRunning(
            at: .path(at: "name") { "operations/\($0)" },
            state: .flag("done", failure: "error"),
            result: .member("response")
        )
        #expect(try await report(client(stub), clause).send() == Report(id: 9))
        #expect(lines(stub).last == "GET /api/operations/a%2Fb")
    }

    @Test(
        "A completion flag fails the call if there is a failure other than null",
        arguments: [
            (#"{"done": true, "error": {"code": "NoStock"}}"#, "NoStock"),
            (#"{"done": true, "error": null, "response": {"id": 9}}"#, nil),
        ] as [(String, String?)]
    )
    func failedFlag(document: String, code: String?) async throws {
        let stub = StubTransport([
            "POST reports": .json(#"{"name": "7"}"#), "GET operations/7": .json(document),
        ])
        let clause = LongRunning(
            at: .path(at: "name") { "operations/\($0)" },
            state: .flag("done", failure: "error"),
            result: .member("response")
        )
        let endpoint = report(client(stub) { Problem(Fault.self, at: "error") }, clause)
        do {
            #expect(try await endpoint.send() == Report(id: 9))
            #expect(code == nil)
        } catch {
            #expect(error.problem(as: Fault.self) == code.map(Fault.init(code:)))
        }
    }

    @Test("The result's URL comes from the initial response, and a token stores it")
    func linkInFirstResponse() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "reports/9").header("Operation-Location", "jobs/7"),
            "GET jobs/7": .sequence([.json(#"{"status": "running"}"#), .json(#"{"status": "succeeded"}"#)]),
            "GET reports/9": .json(#"{"id": 9}"#),
        ])
        let clause = LongRunning(
            at: .field("Operation-Location"),
            state: .member("status", running: ["running"], done: ["succeeded"], failed: []),
            result: .link(.field("Location"))
        )
        let saved = Locked<LongRunning.Token?>(nil)
        let first = try await report(client(stub), clause).send { status in saved.withLock { $0 = status.token } }
        #expect(first == Report(id: 9))
        let encoded = try JSONEncoder().encode(try #require(saved.withLock { $0 }))
        let token = try JSONDecoder().decode(LongRunning.Token.self, from: encoded)
        #expect(try await report(client(stub), clause).send(continuing: token) { _ in } == Report(id: 9))
        #expect(stub.requests.filter { $0.method == .post }.count == 1)
    }

    @Test("Azure style, a PUT's result is at the request's URL, and each URL has the API version once")
    func azure() async throws {
        let stub = StubTransport([
            "PUT reports/9": .json("{}", status: 201)
                .header("Azure-AsyncOperation", "https://shop.example/api/ops/1?api-version=2"),
            "GET ops/1": .sequence([.json(#"{"status": "InProgress"}"#), .json(#"{"status": "Succeeded"}"#)]),
            "GET reports/9": .json(#"{"id": 9}"#),
        ])
        let client = client(stub) { Query("api-version", "2") }
        let endpoint: Endpoint<Report> = client.endpoint {
            PUT("reports/\(9)")
            Body(["month": "11"])
            LongRunning.azure
        }
        #expect(try await endpoint.send() == Report(id: 9))
        #expect(
            lines(stub) == [
                "PUT /api/reports/9?api-version=2", "GET /api/ops/1?api-version=2", "GET /api/ops/1?api-version=2",
                "GET /api/reports/9?api-version=2",
            ]
        )
    }

    @Test("An operation completed by the initial response sends no further request")
    func doneAtOnce() async throws {
        let stub = StubTransport([
            "POST reports": .json(#"{"status": "succeeded", "result": {"id": 9}}"#)
                .header("Operation-Location", "jobs/7")
        ])
        #expect(try await report(client(stub), Self.byMember).send() == Report(id: 9))
        #expect(stub.requests.count == 1)
    }

    @Test("The client's credential and header fields are sent with each request, but not the body's fields")
    func fields() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7"), "GET jobs/7": .json(#"{"id": 9}"#),
        ])
        let client = client(stub) {
            Authorization(.bearer("t0ken"))
            Header("X-Tenant", "a")
            IdempotencyKey()
        }
        let endpoint: Endpoint<Report> = client.endpoint {
            POST("reports")
            Body(["month": "11"])
            Header(.ifNoneMatch, "*")
            LongRunning.location
        }
        _ = try await endpoint.send()
        let status = try #require(stub.requests.last)
        let tenant = try #require(HTTPField.Name("X-Tenant"))
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        #expect(status.headerFields[.authorization] == "Bearer t0ken")
        #expect(status.headerFields[tenant] == "a")
        #expect(status.headerFields[.ifNoneMatch] == nil)
        #expect(status.headerFields[key] == nil)
    }

    // MARK: Waiting

    @Test("The delay comes from Retry-After or else from the declaration")
    func waits() async throws {
        let clock = ManualClock()
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7").header("Retry-After", "3"),
            "GET jobs/7": .sequence([
                .status(202), .status(202).header("Retry-After", "0"), .json(#"{"id": 9}"#),
            ]),
        ])
        let client = Client(url, transport: stub, clock: clock)
        let clause = LongRunning(at: .field("Location"), polling: .constant(.seconds(5)))
        let call = Task { try await report(client, clause).send() }
        #expect(await clock.advanceToNextDeadline() == .seconds(3))
        #expect(await clock.advanceToNextDeadline() == .seconds(5))
        #expect(try await call.value == Report(id: 9))
    }

    @Test(
        "A Retry-After date is relative to the server's clock, and a date in the past is ignored",
        arguments: [("Wed, 21 Oct 2015 07:28:00 GMT", 7), (nil, 5)] as [(String?, Int)]
    )
    func retryDate(dateOfServer: String?, seconds: Int) async throws {
        let clock = ManualClock()
        let accepted: Responder = .status(202).header("Location", "jobs/7")
            .header("Retry-After", "Wed, 21 Oct 2015 07:28:07 GMT")
        let stub = StubTransport([
            "POST reports": dateOfServer.map { accepted.header("Date", $0) } ?? accepted,
            "GET jobs/7": .json(#"{"id": 9}"#),
        ])
        let client = Client(url, transport: stub, clock: clock)
        let clause = LongRunning(at: .field("Location"), polling: .constant(.seconds(5)))
        let call = Task { try await report(client, clause).send() }
        #expect(await clock.advanceToNextDeadline() == .seconds(seconds))
        #expect(try await call.value == Report(id: 9))
    }

    @Test("An operation that exceeds its time limit is a timeout, and no further request is sent")
    func limit() async throws {
        let clock = ManualClock()
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7").header("Retry-After", "20"),
            "GET jobs/7": .status(202).header("Retry-After", "20"),
        ])
        let client = Client(url, transport: stub, clock: clock)
        let clause = LongRunning(at: .field("Location"), polling: .none, timeout: .seconds(50))
        let call = Task { try await report(client, clause).send() }
        for moment in [20, 40] {
            await clock.waitForSleepers(count: 1)
            await waitUntil { clock.deadlines.contains { $0.offset == .seconds(moment) } }
            clock.advance(to: ManualClock.Instant(offset: .seconds(moment)))
        }
        let error = await #expect(throws: APIError.self) { try await call.value }
        guard case .timeout(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.limit == .seconds(50))
        #expect(lines(stub).count == 3)
    }

    @Test("A status request that never ends times out at the operation's limit")
    func hangingStatus() async throws {
        let clock = ManualClock()
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7").header("Retry-After", "0"),
            "GET jobs/7": .status(202).bodyNever(),
        ])
        let client = Client(url, transport: stub, clock: clock)
        let clause = LongRunning(at: .field("Location"), timeout: .seconds(50))
        let call = Task { try await report(client, clause).send() }
        await stub.waitForRequests(count: 2)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(50))
        let error = await #expect(throws: APIError.self) { try await call.value }
        if case .timeout = error {} else { Issue.record("\(String(describing: error))") }
    }

    @Test(
        "The server's delays are bounded above",
        arguments: [
            "301", "1760000000", "9999999999999999", "99999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT",
        ],
        [nil, .seconds(20)] as [Duration?]
    )
    func maximumWait(retryAfter: String, longest: Duration?) async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7").header("Retry-After", retryAfter),
            "GET jobs/7": .sequence([.status(202).header("Retry-After", retryAfter), .json(#"{"id": 9}"#)]),
        ])
        let place = LongRunning.Location.field("Location")
        let clause = longest.map { LongRunning(at: place, maximumWait: $0) } ?? LongRunning(at: place)
        #expect(try await report(client(stub), clause).send() == Report(id: 9))
        #expect(clock.sleeps == Array(repeating: longest ?? .seconds(300), count: 2))
    }

    @Test(
        "If the server requests no delay, polling slows down to once a second",
        arguments: ["0", "0.0", "0.05"]
    )
    func shortestWait(retryAfter: String) async throws {
        let running = StubResponse.status(202).header("Retry-After", retryAfter)
        let stub = StubTransport([
            "POST reports": Responder.status(202).header("Location", "jobs/7").header("Retry-After", retryAfter),
            "GET jobs/7": .sequence(Array(repeating: running, count: 8) + [.json(#"{"id": 9}"#)]),
        ])
        let clause = LongRunning(at: .field("Location"), polling: .none)
        #expect(try await report(client(stub), clause).send() == Report(id: 9))
        let first: [Duration] = retryAfter == "0.05" ? [.milliseconds(50)] : []
        let bounds = [100, 200, 400, 800, 1000, 1000, 1000, 1000].map { Duration.milliseconds($0) }
        #expect(clock.sleeps == first + bounds)
    }

    @Test("After short delays, a server's delay of a second or more is used unchanged")
    func waitAfterShortOnes() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7").header("Retry-After", "0"),
            "GET jobs/7": .sequence([
                .status(202).header("Retry-After", "0"), .status(202).header("Retry-After", "2"),
                .status(202).header("Retry-After", "0"), .json(#"{"id": 9}"#),
            ]),
        ])
        #expect(try await report(client(stub), .location).send() == Report(id: 9))
        #expect(clock.sleeps == [.milliseconds(100), .seconds(2)])
    }

    @Test("A negative maximum wait is a declaration error, and nothing is sent")
    func negativeLongestWait() async throws {
        let stub = StubTransport { _ in .status(202) }
        let clause = LongRunning(at: .field("Location"), maximumWait: .seconds(-1))
        let error = await #expect(throws: APIError.self) { try await report(client(stub), clause).send() }
        #expect("\(try #require(error))".contains("a wait (maximumWait:) cannot be negative; give zero or more"))
        #expect(stub.requests.isEmpty)
    }

    // MARK: Ends

    @Test("A failed operation throws the declared problem, and names the status resource")
    func failed() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Operation-Location", "jobs/7"),
            "GET jobs/7": .json(#"{"status": "failed", "error": {"code": "NoStock"}}"#),
        ])
        let client = client(stub) { Problem(Fault.self, at: "error") }
        let error = await #expect(throws: APIError.self) { try await report(client, Self.byMember).send() }
        #expect(error?.problem(as: Fault.self) == Fault(code: "NoStock"))
        #expect(error?.status == 200)
        #expect("\(try #require(error))".contains("jobs/7"))
    }

    @Test("An operation's failure belongs to its call, and shows the status URL without secrets")
    func failedCall() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Operation-Location", "jobs/7?sig=s3cret-of-server"),
            "GET jobs/7": .json(#"{"status": "failed", "seen": "s3cret-of-query"}"#),
        ])
        let client = client(stub) {
            Query("key", "s3cret-of-query", secret: true)
            Retry(attempts: 3)
        }
        let error = await #expect(throws: APIError.self) { try await report(client, Self.byMember).send() }
        let failed = try #require(error)
        #expect("\(failed.call)" == "POST reports")
        #expect(failed.call.attempt == 1)
        #expect(failed.call.url == "https://shop.example/api/reports?key=‹redacted›")
        #expect("\(failed)".contains("operation at https://shop.example/api/jobs/7?sig=‹redacted›"), "\(failed)")
        #expect(!"\(failed)".contains("s3cret"))
    }

    @Test("A failed operation has the problem declared for its status or else for failures")
    func problemOfOwnStatus() async throws {
        struct Reason: Decodable, Sendable, Equatable { let code: String }
        let stub = StubTransport([
            "POST reports": .status(202).header("Operation-Location", "jobs/7"),
            "GET jobs/7": .json(#"{"status": "failed", "error": {"code": "NoStock"}, "reason": {"code": "7"}}"#),
        ])
        let own = client(stub) { Problem(Reason.self, on: 200, at: "reason", when: { $0.code == "7" }) }
        let error = await #expect(throws: APIError.self) { try await report(own, Self.byMember).send() }
        #expect(error?.problem(as: Reason.self) == Reason(code: "7"))
        let both = client(stub) {
            Problem(Fault.self, at: "error")
            Problem(Reason.self, on: .success, at: "nothing")
        }
        let other = await #expect(throws: APIError.self) { try await report(both, Self.byMember).send() }
        #expect(other?.problem(as: Fault.self) == Fault(code: "NoStock"))
    }

    private struct Thing: Entity, Equatable {
        var id: Int
        var name: String
    }

    @Test(
        "A WriteResult other than the response is a declaration error for an operation, and suggests a fix",
        arguments: [WriteResult.Source.merged, .sent, .reread]
    )
    func writeResult(_ source: WriteResult.Source) async throws {
        let stub = StubTransport([
            "PUT things/1": .status(202).header("Operation-Location", "/api/jobs/7"),
            "GET jobs/7": .json(#"{"status": "succeeded"}"#), "GET things/1": .json(#"{"id": 1, "name": "b"}"#),
        ])
        let operation = LongRunning(
            at: .field("Operation-Location"),
            state: .member("status", running: ["running"], done: ["succeeded"], failed: ["failed"]),
            result: .request
        )
        let client = client(stub) { WriteResult(source) }
        let things: Resource<Thing, ReadWrite> = client.resource("things") { On(.update) { operation } }
        let error = await #expect(throws: APIError.self) { try await things.update(Thing(id: 1, name: "b")) }
        let text = "\(try #require(error))"
        #expect(text.contains("WriteResult") && text.contains("LongRunning"), "\(text)")
        #expect(text.contains("declare WriteResult(.response)"), "\(text)")
        #expect(stub.requests.isEmpty)
        // The suggested fix.
        let fetched: Resource<Thing, ReadWrite> = client.resource("things") {
            On(.update) {
                operation
                WriteResult(.response)
            }
        }
        #expect(try await fetched.update(Thing(id: 1, name: "b")) == Thing(id: 1, name: "b"))
        // A call that returns nothing needs no entity.
        try await things.endpoints.update(Thing(id: 1, name: "b")).returning(Void.self).send()
    }

    @Test(
        "An undeclared, missing, or unreadable state is an error and never a result",
        arguments: [
            (#"{"status": "paused"}"#, "queued, running, succeeded, failed"), (#"{"state": "running"}"#, "status"),
            (#"{"status": 3}"#, "status"), ("<html>", "HTML page"),
        ]
    )
    func unknownState(document: String, hint: String) async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Operation-Location", "jobs/7"), "GET jobs/7": .json(document),
        ])
        let error = await #expect(throws: APIError.self) { try await report(client(stub), Self.byMember).send() }
        guard case .decoding = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let text = "\(try #require(error))"
        #expect(text.contains(hint))
        #expect(text.contains("LongRunning"))
    }

    @Test("A 202 without the status URL is an error that names where it is expected")
    func missingURL() async throws {
        let stub = StubTransport(["POST reports": .json(#"{"id": 1}"#, status: 202)])
        let error = await #expect(throws: APIError.self) { try await report(client(stub), Self.byMember).send() }
        if case .decoding = error {} else { Issue.record("\(String(describing: error))") }
        #expect("\(try #require(error))".contains("Operation-Location"))
    }

    @Test("A status URL at another origin is an error, and no credential is sent there")
    func otherOrigin() async throws {
        let stub = StubTransport(["POST reports": .status(202).header("Location", "https://evil.example/jobs/7")])
        let error = await #expect(throws: APIError.self) { try await report(client(stub), .location).send() }
        #expect("\(try #require(error))".contains("another origin"))
        // The operation has started.
        #expect(error?.mayHaveTakenEffect == true)
        #expect(stub.requests.count == 1)
    }

    @Test("A secret query item is sent with each request, but is not in the token")
    func secretQuery() async throws {
        let stub = StubTransport([
            "POST reports": .json(#"{"id": 7}"#, status: 202), "GET jobs/7": .json(#"{"id": 9}"#),
        ])
        let client = client(stub) {
            Query("api_key", "k3y-value")
            Query("sig", "s1g-value", secret: true)
        }
        let clause = LongRunning(at: .path(at: "id", to: { "jobs/\($0)" }))
        let token = Locked<LongRunning.Token?>(nil)
        let report = try await report(client, clause).send { status in token.withLock { $0 = status.token } }
        #expect(report == Report(id: 9))
        let query = "?api_key=k3y-value&sig=s1g-value"
        #expect(lines(stub) == ["POST /api/reports\(query)", "GET /api/jobs/7\(query)"])
        let encoded = String(decoding: try JSONEncoder().encode(try #require(token.withLock { $0 })), as: UTF8.self)
        #expect(!encoded.contains("k3y-value") && !encoded.contains("s1g-value"))
    }

    @Test("The status and the result do not come from the cache")
    func cached() async throws {
        let stub = StubTransport([
            "PUT reports/9": .status(202).header("Azure-AsyncOperation", "/api/ops/1"),
            "GET ops/1": .sequence([
                .json(#"{"status": "Running"}"#).header("Cache-Control", "max-age=100"),
                .json(#"{"status": "Succeeded"}"#),
            ]),
            "GET reports/9": .sequence([
                .json(#"{"id": 1}"#).header("Cache-Control", "max-age=100"), .json(#"{"id": 9}"#),
            ]),
        ])
        let client = client(stub) { Cached(in: HTTPCache(maximumBytes: 100_000)) }
        let endpoint: Endpoint<Report> = client.endpoint {
            PUT("reports/9")
            Body(["month": "11"])
            LongRunning.azure
        }
        let result = try await endpoint.send { status in
            guard status.state == "Running" else { return }
            let early = try? await client.get("reports/9", as: Report.self)
            #expect(early == Report(id: 1))
        }
        #expect(result == Report(id: 9))
    }

    @Test("A failed status request is retried by the client's Retry")
    func brokenStatus() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7"),
            "GET jobs/7": .sequence([.status(503), .json(#"{"id": 9}"#)]),
        ])
        #expect(try await report(client(stub) { Retry() }, .location).send() == Report(id: 9))
    }

    // MARK: Cancelling and continuing

    @Test(
        "Cancelling a call sends the declared cancellation request, if any",
        arguments: [
            (LongRunning.Cancellation.delete, "DELETE /api/jobs/7?a=1"),
            (.post(appending: ":cancel"), "POST /api/jobs/7:cancel?a=1"),
            (.post(appending: "/cancel"), "POST /api/jobs/7/cancel?a=1"), (nil, nil),
        ] as [(LongRunning.Cancellation?, String?)]
    )
    func cancelled(cancellation: LongRunning.Cancellation?, expected: String?) async throws {
        let clock = ManualClock()
        let stub = StubTransport { request in
            request.method == .get
                ? .status(202) : .status(202).header("Location", "jobs/7?a=1")
        }
        let client = Client(url, transport: stub, clock: clock)
        let clause = LongRunning(at: .field("Location"), polling: .constant(.seconds(5)), cancel: cancellation)
        let endpoint: Endpoint<Report> = client.endpoint {
            POST("reports")
            IdempotencyKey()
            Header("Idempotency-Key", "k3y")
            clause
        }
        let call = Task { try await endpoint.send() }
        await clock.waitForSleepers(count: 1)
        call.cancel()
        let error = await #expect(throws: APIError.self) { try await call.value }
        if case .cancelled = error {} else { Issue.record("\(String(describing: error))") }
        #expect(lines(stub) == ["POST /api/reports"] + (expected.map { [$0] } ?? []))
        // With the original request's key, a server would repeat the response to that request.
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        let keys = stub.requests.map { $0.headerFields[name] }
        #expect(keys.first == "k3y")
        #expect(!keys.dropFirst().contains("k3y"))
        if let cancellation { #expect((keys.last != .some(nil)) == (cancellation != .delete)) }
    }

    @Test("A token resumes the operation in another process with another credential, and its texts contain no secret")
    func token() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Operation-Location", "jobs/7?sig=s3cr3t"),
            "GET jobs/7": .sequence([
                .json(#"{"status": "running"}"#), .status(500),
                .json(#"{"status": "succeeded", "result": {"id": 9}}"#),
            ]),
        ])
        let saved = Locked<LongRunning.Token?>(nil)
        await #expect(throws: APIError.self) {
            let first = client(stub) { Authorization(.bearer("first-token")) }
            try await report(first, Self.byMember).send { status in saved.withLock { $0 = status.token } }
        }
        let encoded = try JSONEncoder().encode(try #require(saved.withLock { $0 }))
        #expect(!String(decoding: encoded, as: UTF8.self).contains("first-token"))
        let token = try JSONDecoder().decode(LongRunning.Token.self, from: encoded)
        var texts = "\(token)"
        dump(token, to: &texts)
        #expect(!texts.contains("s3cr3t"))
        let second = client(stub) { Authorization(.bearer("second-token")) }
        #expect(try await report(second, Self.byMember).send(continuing: token) { _ in } == Report(id: 9))
        #expect(stub.requests.filter { $0.method == .post }.count == 1)
        #expect(stub.requests.last?.headerFields[.authorization] == "Bearer second-token")

        let other: Endpoint<Report> = client(stub).endpoint {
            POST("others")
            Self.byMember
        }
        let count = stub.requests.count
        let error = await #expect(throws: APIError.self) { try await other.send(continuing: token) { _ in } }
        #expect("\(try #require(error))".contains("another endpoint"))
        #expect(stub.requests.count == count)
    }

    @Test("The response of an operation has the result and its status and header fields")
    func response() async throws {
        let stub = StubTransport([
            "POST reports": .status(202).header("Location", "jobs/7"),
            "GET jobs/7": .sequence([.status(202), .json(#"{"id": 9}"#).header("ETag", "\"9\"")]),
        ])
        let statuses = Locked(0)
        let saved = Locked<LongRunning.Token?>(nil)
        let first = try await report(client(stub), .location).response { status in
            statuses.withLock { $0 += 1 }
            saved.withLock { $0 = status.token }
        }
        #expect(first.value == Report(id: 9))
        #expect(first.status == 200)
        #expect(first.headerFields[.eTag] == "\"9\"")
        #expect(statuses.withLock { $0 } >= 2)
        let token = saved.withLock { $0 }
        let second = try await report(client(stub), .location).response(continuing: token) { _ in }
        #expect(second.value == Report(id: 9))
        #expect(stub.requests.filter { $0.method == .post }.count == 1)
    }

    // MARK: Declarations

    @Test("With LongRunning.none, the first response is the result, and there is no operation to follow")
    func none() async throws {
        let stub = StubTransport(["POST reports": .json(#"{"id": 9}"#, status: 202).header("Location", "jobs/7")])
        let client = client(stub) { LongRunning.location }
        let endpoint = report(client, .none)
        #expect(try await endpoint.send() == Report(id: 9))
        #expect(lines(stub) == ["POST /api/reports"])
        #expect(try endpoint.explanation.contains(/LongRunning: none +endpoint/))
        for isWhole in [true, false] {
            let error = await failure {
                isWhole ? try await endpoint.response { _ in }.value : try await endpoint.send { _ in }
            }
            #expect(error?.description.contains("no operation to follow; send() or response() sends it") == true)
        }
        #expect(stub.requests.count == 1)
    }

    @Test("WriteResult can be combined with LongRunning.none")
    func noneBesideOthers() async throws {
        let stub = StubTransport(["PUT reports/{}": .status(204), "GET reports/{}": .json(#"{"id": 9}"#)])
        let reports: Resource<Kept, ReadWrite> = client(stub) { LongRunning.location }.resource("reports") {
            LongRunning.none
            WriteResult(.reread)
        }
        #expect(try await reports.update(Kept(id: 9)) == Kept(id: 9))
        #expect(lines(stub) == ["PUT /api/reports/9", "GET /api/reports/9"])
    }

    @Test(
        "An invalid declaration is an error that names the clause, and nothing is sent",
        arguments: [
            (LongRunning(at: .field()), "no field"), (LongRunning(at: .field("a b")), "a b"),
            (LongRunning(at: .field("A"), state: .member("s", running: nil, done: [], failed: [])), "done"),
            (LongRunning(at: .field("A"), timeout: .zero), "its timeout is not positive"),
            (LongRunning(at: .field("A"), polling: .constant(.seconds(-1))), "negative"),
        ]
    )
    func invalid(clause: LongRunning, hint: String) async throws {
        let stub = StubTransport { _ in .status(202) }
        let error = await #expect(throws: APIError.self) { try await report(client(stub), clause).send() }
        let text = "\(try #require(error))"
        #expect(text.contains("LongRunning("))
        #expect(text.contains(hint))
        #expect(stub.requests.isEmpty)
    }

    @Test(
        "Following an endpoint without an operation and streaming one with it are declaration errors"
    )
    func misused() async throws {
        let stub = StubTransport { _ in .status(202).header("Location", "jobs/7") }
        let plain: Endpoint<Report> = client(stub).endpoint { POST("reports") }
        var errors = [await #expect(throws: APIError.self) { try await plain.send { _ in } }]
        let bytes: Endpoint<Data> = client(stub).endpoint {
            POST("reports")
            LongRunning.location
        }
        errors.append(await #expect(throws: APIError.self) { _ = try await bytes.bytes() })
        for error in errors { #expect("\(try #require(error))".contains("LongRunning")) }
        #expect(stub.requests.isEmpty)
    }
}
