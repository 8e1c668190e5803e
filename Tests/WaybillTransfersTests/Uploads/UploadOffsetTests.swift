import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Offsets of resumable uploads", .inTurn, .safetyNet)
struct UploadOffsetTests {
    private static let bytes = Data.sample(count: 200_000)
    private static let maximumPartBytes = 50_000

    struct Row: Sendable, CustomTestStringConvertible {
        let tested: TestedProtocol
        let faults: [String: UploadServer.Fault]
        let expected: APIError.UploadFailure.Reason
        var testDescription: String { "\(tested.rawValue): \(faults)" }

        init(
            _ tested: TestedProtocol,
            _ faults: [String: UploadServer.Fault],
            _ expected: APIError.UploadFailure.Reason
        ) {
            (self.tested, self.faults, self.expected) = (tested, faults, expected)
        }
    }

    @Test("An impossible offset ends the upload with the reason", arguments: Thoroughness.some(rows, oneIn: 3))
    func beyond(_ row: Row) async throws {
        for carrier in Carrier.allCases {
            for body in [HTTPBody(Self.bytes), .seekable(Self.bytes)] {
                let server = try UploadServer(row.tested.rawValue, row.faults)
                let client = Client(server.url, transport: try carrier.transport(), clock: SkippingClock()) {
                    Retry(attempts: 4)
                }
                let endpoint = UploadAPI(client: client).upload(
                    body,
                    by: Resumable(row.tested.declared, maximumPartBytes: Self.maximumPartBytes)
                )
                let error = await #expect(throws: APIError.self, "\(server.requests)") { try await endpoint.send() }
                guard case .upload(let failure)? = error else { return unexpected(error) }
                #expect(failure.reason == row.expected)
            }
        }
    }

    static let rows: [Row] =
        TestedProtocol.allCases.flatMap { tested -> [Row] in
            let isComplete = { (isComplete: Bool) in
                tested == .tus ? [] : ["Upload-Complete: \(isComplete ? "?1" : "?0")"]
            }
            let offset = { (offset: Int, lines: [String]) in
                UploadServer.Fault.handlesAndResponds(["200 OK", "Upload-Offset: \(offset)"] + lines)
            }
            return [
                Row(
                    tested,
                    [
                        "POST 1": .handlesAndResponds(
                            ["201 Created", "Location: /uploads/1", "Upload-Offset: 1"] + isComplete(false)
                        )
                    ],
                    .invalidOffset(1)
                ),
                // Beyond the end of the part, by one byte and by all remaining bytes.
                Row(tested, ["PATCH 1": offset(50_001, isComplete(false))], .invalidOffset(50_001)),
                Row(tested, ["PATCH 1": offset(200_000, isComplete(false))], .invalidOffset(200_000)),
                Row(tested, ["PATCH 3": offset(200_000, isComplete(false))], .invalidOffset(200_000)),
                // After a broken connection.
                Row(
                    tested,
                    ["PATCH 1": .breaks(after: 1000), "HEAD 1": offset(200_000, isComplete(true))],
                    .invalidOffset(200_000)
                ),
                Row(
                    tested,
                    ["PATCH 2": .breaks(after: 0), "HEAD 1": offset(100_001, isComplete(false))],
                    .invalidOffset(100_001)
                ),
                // After an offset that went backward.
                Row(
                    tested,
                    [
                        "PATCH 2": .breaks(after: 1000), "HEAD 1": offset(10, isComplete(false)),
                        "PATCH 3": offset(200_000, isComplete(false)),
                    ],
                    .invalidOffset(200_000)
                ),
                Row(
                    tested,
                    [
                        "PATCH 2": .breaks(after: 1000), "HEAD 1": offset(10, isComplete(false)),
                        "PATCH 3": .breaks(after: 0), "HEAD 2": offset(200_000, isComplete(true)),
                    ],
                    .invalidOffset(200_000)
                ),
            ]
        } + [
            Row(.draft, ["PATCH 1": .responds(["409 Conflict", "Upload-Offset: 50001"])], .invalidOffset(50_001)),
            Row(.draft, ["PATCH 2": .responds(["409 Conflict", "Upload-Offset: 200000"])], .invalidOffset(200_000)),
            Row(
                .draft,
                ["PATCH 4": .handlesAndResponds(["200 OK", "Upload-Complete: ?1", "Upload-Offset: 200001"])],
                .invalidOffset(200_001)
            ),
            Row(
                .draft,
                ["PATCH 4": .handlesAndResponds(["200 OK", "Upload-Complete: ?1", "Upload-Offset: 150000"])],
                .completedEarly(offset: 150_000)
            ),
        ]

    @Test(
        "An interim response with an impossible offset ends the upload",
        arguments: Carrier.without(.hidesInterimResponses)
    )
    func interim(_ carrier: Carrier) async throws {
        // A 104 before a final response that confirms all bytes.
        let final = "HTTP/1.1 200 OK\r\nUpload-Complete: ?1\r\nContent-Length: 0\r\n\r\n"
        for (offset, isPossible) in [(200_000, true), (200_001, false)] {
            let lines = ["104 Upload Resumption Supported", "Upload-Offset: \(offset)", "", final]
            let server = try UploadServer("draft", ["POST 1": .handlesAndResponds(lines)])
            let client = Client(server.url, transport: try carrier.transport())
            let endpoint = UploadAPI(client: client).upload(.seekable(Self.bytes), by: Resumable(.draft))
            guard !isPossible else {
                try await endpoint.send()
                continue
            }
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            guard case .upload(let failure)? = error else { return unexpected(error) }
            #expect(failure.reason == .invalidOffset(200_001))
        }
    }

    @Test("Bytes of a request that cannot have been sent do not count as sent", arguments: TestedProtocol.allCases)
    func unsent(_ tested: TestedProtocol) async throws {
        let complete = tested == .draft ? [("Upload-Complete", "?1")] : []
        // A stub matches requests by the endpoint's template.
        let stub = StubTransport([
            "POST files": .status(201).header("Location", "/uploads/1"),
            "PATCH files": .failure(TransportError(.cannotConnect, phase: .connecting)),
            "HEAD files": complete.reduce(.status(200).header("Upload-Offset", "200000")) {
                $0.header($1.0, $1.1)
            },
        ])
        let url = try #require(URL(string: "https://shop.example"))
        let client = Client(url, transport: stub, clock: SkippingClock()) { Retry() }
        for body in [HTTPBody(Self.bytes), .seekable(Self.bytes)] {
            let endpoint = UploadAPI(client: client).upload(body, by: Resumable(tested.declared))
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            guard case .upload(let failure)? = error else { return unexpected(error) }
            #expect(failure.reason == .invalidOffset(200_000))
        }
    }

    @Test("A final response before the body was read is not a success", arguments: TestedProtocol.allCases)
    func unread(_ tested: TestedProtocol) async throws {
        let client = Client(Shop.url, transport: UnreadingTransport())
        let endpoint = UploadAPI(client: client).upload(.seekable(Self.bytes), by: Resumable(tested.declared))
        let error = await #expect(throws: APIError.self) { try await endpoint.send() }
        guard case .upload(let failure)? = error else { return unexpected(error) }
        #expect(failure.reason == (tested == .tus ? .invalidOffset(200_000) : .completedEarly(offset: 50_001)))
    }

    /// A server that considers an upload complete after its first bytes.
    private struct UnreadingTransport: Transport {
        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            var fields = HTTPFields()
            guard request.method == .patch else {
                fields[.location] = "/uploads/1"
                return HTTPResponse(status: 201, headerFields: fields)
            }
            var chunks = request.body?.makeAsyncIterator()
            _ = try await chunks?.next()
            fields[.uploadComplete] = "?1"
            fields[.uploadOffset] = "200000"
            return HTTPResponse(status: 200, headerFields: fields)
        }
    }

    @Test("The offset of an earlier call may have any value up to the length", arguments: TestedProtocol.allCases)
    func earlier(_ tested: TestedProtocol) async throws {
        for (offset, isPossible) in [(150_000, true), (200_001, false)] {
            let server = try UploadServer(tested.rawValue, ["PATCH 1": .breaks(after: 150_000)])
            let api = UploadAPI(client: Client(server.url, transport: try Carrier.urlSession.transport()))
            let endpoint = api.upload(.seekable(Self.bytes), by: Resumable(tested.declared))
            let saved = Locked<Resumable.Token?>(nil)
            await #expect(throws: APIError.self) {
                try await endpoint.send(resuming: nil) { token in saved.withLock { $0 = token } }
            }
            let token = try #require(saved.withLock { $0 })
            if isPossible {
                try await endpoint.send(resuming: token)
                #expect(server.uploads.map(\.bytes) == [Self.bytes])
                continue
            }
            let complete = tested == .draft ? ["Upload-Complete: ?0"] : []
            server.misbehave("HEAD 1", .responds(["200 OK", "Upload-Offset: \(offset)"] + complete))
            let error = await #expect(throws: APIError.self) { try await endpoint.send(resuming: token) }
            guard case .upload(let failure)? = error else { return unexpected(error) }
            #expect(failure.reason == .invalidOffset(offset))
        }
    }

    @Test("An upload interrupted anywhere delivers all bytes", arguments: TestedProtocol.allCases)
    func brokenAnywhere(_ tested: TestedProtocol) async throws {
        for carrier in Carrier.allCases {
            for stop in [0, 1, 49_999, 50_000, 50_001, 65_536, 131_071, 199_999, 200_000] {
                for maximumPartBytes in [nil, 60_000] {
                    let first =
                        maximumPartBytes == nil && tested.createsWithContent(over: carrier) ? "POST 1" : "PATCH 1"
                    let faults: [String: UploadServer.Fault] = [
                        first: .breaks(after: min(stop, maximumPartBytes ?? .max)),
                        "PATCH 2": .breaks(after: stop % 7919),
                        "PATCH 3": .losesResponse, "HEAD 2": .losesResponse,
                    ]
                    let server = try UploadServer(tested.rawValue, faults)
                    let client = Client(server.url, transport: try carrier.transport(), clock: SkippingClock()) {
                        Retry(attempts: 8, methods: [.post, .patch, .head])
                    }
                    let endpoint = UploadAPI(client: client).upload(
                        .seekable(Self.bytes),
                        by: Resumable(tested.declared, maximumPartBytes: maximumPartBytes)
                    )
                    do throws(APIError) {
                        try await endpoint.send()
                        #expect(server.uploads.last?.bytes == Self.bytes, "\(carrier) \(stop) \(server.requests)")
                    } catch {
                        // All bytes arrived, but the resource's response was lost.
                        guard case .upload(let failure) = error, failure.reason == .lostResponse else {
                            return unexpected(error)
                        }
                        #expect(server.uploads.last?.bytes == Self.bytes, "\(carrier) \(stop) \(server.requests)")
                    }
                }
            }
        }
    }
}
