import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Failures of resumable uploads", .inTurn, .safetyNet)
struct UploadFailureTests {
    private static let bytes = Data.sample(count: 200_000)

    struct Row: Sendable, CustomTestStringConvertible {
        let tested: TestedProtocol
        let testDescription: String
        let faults: [String: UploadServer.Fault]
        let expected: APIError.UploadFailure.Reason
        /// The expected number of requests, which shows that no further one is sent.
        let count: Int

        init(
            _ tested: TestedProtocol,
            _ request: String,
            _ lines: [String],
            _ expected: APIError.UploadFailure.Reason,
            breaking: Bool = false
        ) {
            self.tested = tested
            testDescription = "\(tested.rawValue): \(request): \(lines.joined(separator: "; "))"
            var faults = [request: UploadServer.Fault.responds(lines)]
            if breaking { faults["PATCH 1"] = .breaks(after: 1000) }
            self.faults = faults
            self.expected = expected
            count = request == "POST 1" ? 1 : request == "PATCH 1" ? 2 : 3
        }
    }

    @Test(
        "A response that violates the protocol ends the upload with the reason",
        arguments: Thoroughness.some(rows, oneIn: 3)
    )
    func malformed(_ row: Row) async throws {
        for carrier in Carrier.allCases {
            // URLSession exposes only one of several fields.
            if carrier == .urlSession, row.testDescription.contains("/uploads/2") { continue }
            let server = try UploadServer(row.tested.rawValue, row.faults)
            let client = Client(server.url, transport: try carrier.transport(), clock: SkippingClock()) { Retry() }
            // With a part size, the creation has no content over any transport.
            let resumable = Resumable(row.tested.declared, maximumPartBytes: 1_000_000)
            let endpoint = UploadAPI(client: client).upload(HTTPBody(Self.bytes), by: resumable)
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            guard case .upload(let failure)? = error else {
                Issue.record("\(String(describing: error)), \(server.requests)")
                return
            }
            #expect(failure.reason == row.expected)
            #expect(server.requests.count == row.count)
        }
    }

    private static let created = ["201 Created", "Location: /uploads/1"]

    static let rows: [Row] =
        TestedProtocol.allCases.flatMap { tested -> [Row] in
            let complete = tested == .draft ? ["Upload-Complete: ?0"] : []
            let head = { (lines: [String], reason: APIError.UploadFailure.Reason) in
                Row(tested, "HEAD 1", ["200 OK"] + lines, reason, breaking: true)
            }
            return [
                Row(tested, "POST 1", ["201 Created"], .invalidField(name: "Location", value: nil)),
                Row(
                    tested,
                    "POST 1",
                    ["201 Created", "Location: /uploads/1", "Location: /uploads/2"],
                    .invalidField(name: "Location", value: "/uploads/1")
                ),
                Row(
                    tested,
                    "POST 1",
                    ["201 Created", "Location: ftp://host/1"],
                    .invalidField(name: "Location", value: "ftp://host/1")
                ),
                Row(
                    tested,
                    "POST 1",
                    created + ["Upload-Limit: max-size=100"],
                    .tooLarge(limit: 100)
                ),
                Row(tested, "PATCH 1", ["404 Not Found"], .expired(404)),
                Row(tested, "PATCH 1", ["410 Gone"], .expired(410)),
                Row(
                    tested,
                    "PATCH 1",
                    ["204 No Content", "Upload-Offset: x"],
                    .invalidField(name: "Upload-Offset", value: "x")
                ),
                Row(tested, "HEAD 1", ["410 Gone"], .expired(410), breaking: true),
                head(complete, .invalidField(name: "Upload-Offset", value: nil)),
                head(["Upload-Offset: -1"] + complete, .invalidField(name: "Upload-Offset", value: "-1")),
                head(["Upload-Offset: 1.0"] + complete, .invalidField(name: "Upload-Offset", value: "1.0")),
                head(
                    ["Upload-Offset: 1", "Upload-Offset: 1"] + complete,
                    .invalidField(name: "Upload-Offset", value: "1, 1")
                ),
                head(["Upload-Offset: 200001"] + complete, .invalidOffset(200_001)),
                head(["Upload-Offset: 1", "Upload-Length: 5"] + complete, .differentLength(5)),
            ]
        } + [
            Row(
                .draft,
                "POST 1",
                created + ["Upload-Complete: yes"],
                .invalidField(name: "Upload-Complete", value: "yes")
            ),
            Row(.draft, "POST 1", created + ["Upload-Complete: ?1"], .completedEarly(offset: 0)),
            Row(
                .draft,
                "POST 1",
                created + ["Upload-Limit: max-size=big"],
                .invalidField(name: "Upload-Limit", value: "max-size=big")
            ),
            Row(
                .draft,
                "HEAD 1",
                ["200 OK", "Upload-Offset: 1"],
                .invalidField(name: "Upload-Complete", value: nil),
                breaking: true
            ),
            Row(
                .draft,
                "HEAD 1",
                ["200 OK", "Upload-Offset: 1", "Upload-Complete: ?1"],
                .completedEarly(offset: 1),
                breaking: true
            ),
            Row(
                .draft,
                "HEAD 1",
                ["200 OK", "Upload-Offset: 200000", "Upload-Complete: ?1"],
                .lostResponse,
                breaking: true
            ),
            Row(.tus, "PATCH 1", ["204 No Content"], .invalidField(name: "Upload-Offset", value: nil)),
            Row(.tus, "PATCH 1", ["204 No Content", "Upload-Offset: 200001"], .invalidOffset(200_001)),
            Row(.tus, "POST 1", ["412 Precondition Failed", "Tus-Version: 2.0.0"], .unsupportedVersion("2.0.0")),
            Row(.tus, "POST 1", ["413 Content Too Large", "Tus-Max-Size: 99"], .tooLarge(limit: 99)),
        ]

    @Test("A server that stores no bytes ends the upload, whatever it responds", arguments: TestedProtocol.allCases)
    func noProgress(_ tested: TestedProtocol) async throws {
        for response in [["409 Conflict", "Upload-Offset: 5"], ["204 No Content", "Upload-Offset: 5"]] {
            var faults: [String: UploadServer.Fault] = [:]
            for number in 1...20 {
                faults["PATCH \(number)"] = .responds(response)
                faults["HEAD \(number)"] = .responds(
                    ["200 OK", "Upload-Offset: 5"] + (tested == .draft ? ["Upload-Complete: ?0"] : [])
                )
            }
            let server = try UploadServer(tested.rawValue, faults)
            let client = Client(server.url, transport: try Carrier.urlSession.transport())
            let endpoint = UploadAPI(client: client).upload(HTTPBody(Self.bytes), by: Resumable(tested.declared))
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            switch error {
            case .upload(let failure)?: #expect(failure.reason == .noProgress(offset: 5))
            // The draft's 409 with the expected offset is an ordinary status.
            case .status(let failure)?: #expect(failure.status == 409 && tested == .draft)
            default: Issue.record("\(String(describing: error))")
            }
            #expect(server.requests.count < 12)
        }
    }

    @Test("A status that the protocol does not define fails the call, even if it is declared as success")
    func statuses() async throws {
        for (request, status) in [("POST 1", 403), ("PATCH 1", 403), ("PATCH 1", 302), ("POST 1", 501)] {
            for tested in TestedProtocol.allCases {
                let server = try UploadServer(tested.rawValue, [request: .responds(["\(status) No"])])
                let client = Client(server.url, transport: try Carrier.urlSession.transport())
                let endpoint = UploadAPI(client: client).upload(HTTPBody(Self.bytes), by: Resumable(tested.declared))
                let error = await #expect(throws: APIError.self) { try await endpoint.send() }
                #expect(error?.status?.code == status)
                let lenientServer = try UploadServer(tested.rawValue, [request: .responds(["\(status) No"])])
                let second = UploadAPI(client: Client(lenientServer.url, transport: try Carrier.urlSession.transport()))
                let lenient = second.upload(HTTPBody(Self.bytes), by: Resumable(tested.declared)).with {
                    Success(.codes(200...599))
                }
                let other = await #expect(throws: APIError.self) { try await lenient.send() }
                guard case .upload(let failure)? = other else {
                    unexpected(other)
                    continue
                }
                #expect(failure.reason == .unexpectedStatus(HTTPResponse.Status(code: status)))
            }
        }
    }

    @Test("An upload at another origin receives no credential or secret, and no request unless redirects are followed")
    func otherOrigin() async throws {
        let elsewhere = try UploadServer("tus", ["PATCH 1": .breaks(after: 1000)])
        // The upload already exists with some bytes.
        let seed = UploadAPI(client: Client(elsewhere.url, transport: try Carrier.urlSession.transport()))
        let saved = Locked<Resumable.Token?>(nil)
        let resumable = Resumable(.tus)
        await #expect(throws: APIError.self) {
            try await seed.upload(.seekable(Self.bytes), by: resumable).send(resuming: nil) { token in
                saved.withLock { $0 = token }
            }
        }
        let there = try #require(saved.withLock { $0 }).url.absoluteString
        for policy in [Redirects.Policy.sameOrigin, .reject, .follow] {
            let server = try UploadServer("tus", location: there)
            let client = Client(server.url, transport: try Carrier.urlSession.transport()) {
                Authorization(.bearer("token"))
                Header("X-Key", "secret", secret: true)
                Header("X-Tenant", "1")
                Redirects(policy)
            }
            let before = elsewhere.exchanges.count
            let endpoint = UploadAPI(client: client).upload(.seekable(Self.bytes), by: resumable)
            if policy == .follow {
                try await endpoint.send()
                let sent = elsewhere.exchanges.dropFirst(before)
                #expect(sent.map(\.text) == ["PATCH 0", "HEAD", "PATCH 1000"])
                #expect(sent.allSatisfy { $0.fields[.authorization] == nil && $0.fields["X-Key"] == nil })
                #expect(sent.allSatisfy { $0.fields["X-Tenant"] == "1" })
            } else {
                let error = await #expect(throws: APIError.self) { try await endpoint.send() }
                guard case .upload(let failure)? = error, case .rejectedURL = failure.reason else {
                    return unexpected(error)
                }
                #expect(elsewhere.exchanges.count == before)
            }
        }
        #expect(elsewhere.uploads.map(\.bytes) == [Self.bytes])
    }

    @Test("The text of an invalid Location suggests a fix and redacts secrets")
    func texts() async throws {
        let server = try UploadServer("tus", ["POST 1": .responds(["201 Created", "Location: ftp://x/s3cret-token"])])
        let client = Client(server.url, transport: try Carrier.urlSession.transport()) {
            Authorization(.bearer("s3cret-token"))
        }
        let endpoint = UploadAPI(client: client).upload(HTTPBody(Self.bytes), by: Resumable(.tus))
        let error = try #require(await #expect(throws: APIError.self) { try await endpoint.send() })
        #expect(!"\(error)".contains("s3cret-token"))
        #expect(
            error.summary == "POST files was not uploaded: a response has a Location that the protocol does not allow:"
                + #" "ftp://x/‹redacted›"; check that the server speaks the declared one"#
        )
        #expect(error.localizedDescription == "The upload could not be completed.")
    }
}
