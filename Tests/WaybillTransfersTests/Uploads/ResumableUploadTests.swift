import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillSessions
import WaybillTransfers

@Suite("Resumable uploads", .inTurn, .safetyNet)
struct ResumableUploadTests {
    private static let bytes = Data.sample(count: 1_000_000)

    private static func api(_ server: UploadServer, _ carrier: Carrier, attempts: Int = 8) throws -> UploadAPI {
        let transport = try carrier.transport()
        return UploadAPI(
            client: Client(server.url, transport: transport, clock: SkippingClock()) { Retry(attempts: attempts) }
        )
    }

    @Test(
        "An upload arrives completely, and its progress ends with all bytes acknowledged",
        arguments: Carrier.allCases,
        TestedProtocol.allCases
    )
    func whole(_ carrier: Carrier, _ tested: TestedProtocol) async throws {
        let server = try UploadServer(tested.rawValue)
        let control = TransferControl()
        let endpoint = try Self.api(server, carrier).upload(.seekable(Self.bytes), by: Resumable(tested.declared))
        async let response = endpoint.response(controlledBy: control)
        var progress: [TransferControl.Progress] = []
        for await value in control.progress { progress.append(value) }
        let url = try await response.url
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
        let withContent = tested.createsWithContent(over: carrier)
        #expect(server.requests == (withContent ? ["POST"] : ["POST", "PATCH 0"]))
        #expect(url == server.url.appending(path: withContent ? "files" : "uploads/1"))
        #expect(progress.last?.bytesAcknowledged == Self.bytes.count)
        #expect(progress.last?.fractionAcknowledged == 1)
        #expect(progress.last?.bytesSent == Self.bytes.count)
        #expect(progress.allSatisfy { $0.bytesExpectedToSend == Self.bytes.count })
    }

    @Test("Each request has the protocol's header fields", arguments: TestedProtocol.allCases)
    func fields(_ tested: TestedProtocol) async throws {
        let server = try UploadServer(tested.rawValue, ["PATCH 1": .breaks(after: 300_000)])
        let client = Client(server.url, transport: try Carrier.allCases[0].transport(), clock: SkippingClock()) {
            Authorization(.bearer("token"))
            Retry()
            IdempotencyKey()
            Header("X-Tenant", "1")
        }
        let tus = Resumable.UploadProtocol.tus(metadata: ["filename": "ü.mp4", "private": ""])
        // With a part size, the creation has no content over any transport.
        let resumable = Resumable(tested == .tus ? tus : .draft, maximumPartBytes: 2_000_000)
        try await UploadAPI(client: client).upload(HTTPBody(Self.bytes), by: resumable).send()
        #expect(server.requests == ["POST", "PATCH 0", "HEAD", "PATCH 300000"])
        for exchange in server.exchanges {
            #expect(exchange.fields[.authorization] == "Bearer token")
            #expect(exchange.fields["X-Tenant"] == "1")
            #expect(exchange.fields.contains("Idempotency-Key") == (exchange.method == "POST"))
            #expect(exchange.fields.contains("Upload-Metadata") == (exchange.method == "POST" && tested == .tus))
            #expect(exchange.fields["Tus-Resumable"] == (tested == .tus ? "1.0.0" : nil))
            #expect(exchange.fields["Upload-Draft-Interop-Version"] == (tested == .draft ? "8" : nil))
        }
        let (creation, patch) = (try #require(server.exchanges.first), try #require(server.exchanges.last))
        #expect(creation.fields["Upload-Length"] == "1000000")
        #expect(creation.count == 0)
        switch tested {
        case .draft:
            #expect(creation.fields["Upload-Complete"] == "?0")
            #expect(creation.fields[.contentType] == "video/mp4")
            #expect(patch.fields["Upload-Complete"] == "?1")
            #expect(patch.fields[.contentType] == "application/partial-upload")
        case .tus:
            #expect(creation.fields["Upload-Metadata"] == "filename w7wubXA0,private")
            #expect(creation.fields[.contentType] != "video/mp4")
            #expect(patch.fields[.contentType] == "application/offset+octet-stream")
        }
    }

    @Test(
        "An upload whose connection breaks continues from the last received byte in the same call",
        arguments: Carrier.allCases,
        TestedProtocol.allCases
    )
    func broken(_ carrier: Carrier, _ tested: TestedProtocol) async throws {
        let first = tested.createsWithContent(over: carrier) ? "POST 1" : "PATCH 1"
        let next = first == "POST 1" ? "PATCH 1" : "PATCH 2"
        for count in [0, 1, 65_536, 400_001, 999_999] {
            let server = try UploadServer(
                tested.rawValue,
                [first: .breaks(after: count), "HEAD 1": .breaks(after: 0), next: .breaks(after: 0)]
            )
            try await Self.api(server, carrier).upload(.seekable(Self.bytes), by: Resumable(tested.declared)).send()
            #expect(server.uploads.map(\.bytes) == [Self.bytes], "\(count): \(server.requests)")
            let last = try #require(server.exchanges.last)
            #expect(last.text == "PATCH \(count)" && last.count == Self.bytes.count - count)
            #expect(server.exchanges.filter { $0.method == "POST" }.count == 1)
        }
    }

    @Test("A call without Retry ends when the connection breaks", arguments: Carrier.allCases, TestedProtocol.allCases)
    func withoutRetry(_ carrier: Carrier, _ tested: TestedProtocol) async throws {
        let first = tested.createsWithContent(over: carrier) ? "POST 1" : "PATCH 1"
        let server = try UploadServer(tested.rawValue, [first: .breaks(after: 5000)])
        let client = Client(server.url, transport: try carrier.transport())
        let error = await #expect(throws: APIError.self) {
            try await UploadAPI(client: client).upload(.seekable(Self.bytes), by: Resumable(tested.declared)).send()
        }
        guard case .transport(let failure)? = error else { return unexpected(error) }
        #expect(failure.error.kind == .connectionLost)
    }

    @Test("A creation interrupted before its URL is known is repeated only if the method allows it")
    func brokenCreation() async throws {
        for (methods, count) in [([.get] as Set<HTTPRequest.Method>, 1), ([.post], 2)] {
            let server = try UploadServer("tus", ["POST 1": .losesResponse])
            let client = Client(server.url, transport: try Carrier.allCases[0].transport(), clock: SkippingClock()) {
                Retry(methods: methods)
            }
            let endpoint = UploadAPI(client: client).upload(.seekable(Self.bytes), by: Resumable(.tus))
            if count == 1 {
                let error = await #expect(throws: APIError.self) { try await endpoint.send() }
                #expect(error?.call.retryRejection == .notIdempotent)
            } else {
                try await endpoint.send()
            }
            #expect(server.exchanges.filter { $0.method == "POST" }.count == count)
        }
    }

    @Test(
        "Parts do not exceed the declared size or the server's limit",
        arguments: Carrier.allCases,
        TestedProtocol.allCases
    )
    func parts(_ carrier: Carrier, _ tested: TestedProtocol) async throws {
        let server = try UploadServer(tested.rawValue)
        let resumable = Resumable(tested.declared, maximumPartBytes: 300_000)
        try await Self.api(server, carrier).upload(.seekable(Self.bytes), by: resumable).send()
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
        #expect(server.requests == ["POST", "PATCH 0", "PATCH 300000", "PATCH 600000", "PATCH 900000"])
        guard tested == .draft else { return }
        let limited = try UploadServer("draft", limits: #"max-append-size=600000, x=("a" "b");c, max-age=60"#)
        try await Self.api(limited, .urlSession).upload(.seekable(Self.bytes), by: Resumable(.draft)).send()
        #expect(limited.requests == ["POST", "PATCH 0", "PATCH 600000"])
    }

    @Test("An empty upload is complete after its creation", arguments: Carrier.allCases, TestedProtocol.allCases)
    func empty(_ carrier: Carrier, _ tested: TestedProtocol) async throws {
        let server = try UploadServer(tested.rawValue)
        let endpoint = try Self.api(server, carrier).upload(HTTPBody(), by: Resumable(tested.declared))
        let response = try await endpoint.response()
        #expect(server.requests == ["POST"])
        #expect(server.exchanges.first?.fields["Upload-Length"] == "0")
        #expect(response.url == server.url.appending(path: tested == .tus ? "uploads/1" : "files"))
    }

    @Test(
        "A draft upload returns the resource's value, even after a broken connection",
        arguments: Carrier.allCases
    )
    func value(_ carrier: Carrier) async throws {
        let first = TestedProtocol.draft.createsWithContent(over: carrier) ? "POST 1" : "PATCH 1"
        let server = try UploadServer("draft", [first: .breaks(after: 400_000)])
        let endpoint = try Self.api(server, carrier).receipt(.seekable(Self.bytes), by: Resumable(.draft))
        #expect(try await endpoint.send() == UploadAPI.Receipt(id: 7))
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
    }

    @Test("A form continues with the same boundary after a broken connection", arguments: TestedProtocol.allCases)
    func form(_ tested: TestedProtocol) async throws {
        let server = try UploadServer(tested.rawValue, ["PATCH 1": .breaks(after: 500_000)])
        let api = try Self.api(server, .urlSession)
        let endpoint: Endpoint<Void> = api.endpoint {
            POST("files")
            Multipart {
                Multipart.Part("title", "Dawn")
                Multipart.Part("video", Self.bytes, fileName: "dawn.mov")
            }
            Resumable(tested.declared)
        }
        try await endpoint.send()
        let received = try #require(server.uploads.first).bytes
        let boundary = try #require(received.firstRange(of: Data("\r\n".utf8)).map { received[..<$0.lowerBound] })
        #expect(received.suffix(boundary.count + 4) == boundary + Data("--\r\n".utf8))
        #expect(received.range(of: Self.bytes) != nil)
    }

    @Test(
        "An upload continues after a single 503, a single 409, or a broken connection",
        arguments: TestedProtocol.allCases
    )
    func recovered(_ tested: TestedProtocol) async throws {
        let busy = UploadServer.Fault.responds(["503 Service Unavailable"])
        let conflict = UploadServer.Fault.responds(["409 Conflict"])
        let resumable = Resumable(tested.declared, maximumPartBytes: 2_000_000)
        for fault in [busy, conflict] {
            let server = try UploadServer(tested.rawValue, ["PATCH 1": fault])
            try await Self.api(server, Carrier.allCases[0]).upload(.seekable(Self.bytes), by: resumable).send()
            #expect(server.uploads.map(\.bytes) == [Self.bytes])
            #expect(server.requests == ["POST", "PATCH 0", "HEAD", "PATCH 0"])
        }
        // The connection breaks after the server has kept 1,000 bytes of the first part.
        let server = try UploadServer(tested.rawValue, ["PATCH 1": .breaks(after: 1000)])
        try await Self.api(server, Carrier.allCases[0]).upload(.seekable(Self.bytes), by: resumable).send()
        #expect(server.requests == ["POST", "PATCH 0", "HEAD", "PATCH 1000"])
    }

    @Test("An unmarked final response counts if the server's offset shows that all bytes arrived")
    func unmarked() async throws {
        let lines = ["200 OK", "Content-Type: application/json", "", #"{"id": 8}"#]
        let server = try UploadServer("draft", ["PATCH 1": .handlesAndResponds(lines)])
        let endpoint = try Self.api(server, .urlSession).receipt(.seekable(Self.bytes), by: Resumable(.draft))
        #expect(try await endpoint.send() == UploadAPI.Receipt(id: 8))
        #expect(server.requests == ["POST", "PATCH 0", "HEAD"])
        // The same response, but the server has kept nothing: it is asked for the offset and gets the bytes again.
        let dropping = try UploadServer("draft", ["PATCH 1": .responds(lines)])
        let again = try Self.api(dropping, .urlSession).receipt(.seekable(Self.bytes), by: Resumable(.draft))
        #expect(try await again.send() == UploadAPI.Receipt(id: 7))
        #expect(dropping.requests == ["POST", "PATCH 0", "HEAD", "PATCH 0"])
        #expect(dropping.uploads.map(\.bytes) == [Self.bytes])
    }

    @Test("A failure response from the resource fails the call, and is not treated as an upload failure")
    func rejectedByResource() async throws {
        let lines = ["422 Unprocessable Content", "Upload-Complete: ?1", "Content-Type: text/plain", "", "no video"]
        for (carrier, request) in zip(Carrier.allCases.reversed(), ["PATCH 1", "POST 1"]) {
            let server = try UploadServer("draft", [request: .handlesAndResponds(lines)])
            let endpoint = try Self.api(server, carrier).receipt(.seekable(Self.bytes), by: Resumable(.draft))
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            guard case .status(let failure)? = error else {
                return unexpected(error)
            }
            #expect(failure.status == 422)
            #expect(failure.body == Data("no video".utf8))
        }
    }

    @Test("A digest challenge to a part makes the client resend its bytes", arguments: Carrier.allCases)
    func unauthorized(_ carrier: Carrier) async throws {
        let challenge = #"WWW-Authenticate: Digest realm="a", nonce="n", qop="auth""#
        let server = try UploadServer("tus", ["PATCH 1": .responds(["401 Unauthorized", challenge])])
        let client = Client(server.url, transport: try carrier.transport()) {
            Authorization(.digest(user: "bo", password: "s3cret"))
        }
        try await UploadAPI(client: client).upload(.seekable(Self.bytes), by: Resumable(.tus)).send()
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
        let patches = server.exchanges.filter { $0.method == "PATCH" }
        #expect(patches.map { $0.fields[.authorization]?.hasPrefix("Digest ") ?? false } == [false, true])
        #expect(patches.map(\.count) == [Self.bytes.count, Self.bytes.count])
    }

    @Test(
        "A 104 provides the token and the acknowledged bytes while the body is being sent",
        arguments: Carrier.without(.hidesInterimResponses)
    )
    func interim(_ carrier: Carrier) async throws {
        let server = try UploadServer("draft", ["POST 1": .stalls(after: 600_000)])
        let api = try Self.api(server, carrier)
        let (saved, control) = (Locked<Resumable.Token?>(nil), TransferControl())
        let task = Task {
            try await api.upload(.seekable(Self.bytes), by: Resumable(.draft))
                .send(resuming: nil, controlledBy: control) { token in saved.withLock { $0 = token } }
        }
        var acknowledged = 0
        for await progress in control.progress {
            acknowledged = progress.bytesAcknowledged ?? 0
            if acknowledged > 500_000 { break }
        }
        #expect((500_001...600_000).contains(acknowledged))
        task.cancel()
        await #expect(throws: APIError.self) { try await task.value }
        #expect(server.requests == ["POST"])
        let token = try #require(saved.withLock { $0 })
        let response = try await api.upload(.seekable(Self.bytes), by: Resumable(.draft)).response(resuming: token)
        #expect((200..<300).contains(response.status.code))
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
    }

    @Test(
        "A creation too large for the server is repeated without content, and parts respect the limit",
        arguments: Carrier.without(.hidesInterimResponses)
    )
    func tooLargeCreation(_ carrier: Carrier) async throws {
        let lines = ["413 Content Too Large", "Upload-Limit: max-append-size=400000"]
        let server = try UploadServer("draft", ["POST 1": .responds(lines)])
        try await Self.api(server, carrier).upload(.seekable(Self.bytes), by: Resumable(.draft)).send()
        #expect(server.requests == ["POST", "POST", "PATCH 0", "PATCH 400000", "PATCH 800000"])
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
    }

    @Test(
        "A server that does not support the draft receives an ordinary upload",
        arguments: Carrier.without(.hidesInterimResponses)
    )
    func unsupported(_ carrier: Carrier) async throws {
        let lines = ["200 OK", "Content-Type: application/json", "", #"{"id": 9}"#]
        let server = try UploadServer(
            "draft",
            ["POST 1": .responds(lines), "POST 2": .breaks(after: 5000)],
            hasInterimResponses: false
        )
        let endpoint = try Self.api(server, carrier).receipt(.seekable(Self.bytes), by: Resumable(.draft))
        #expect(try await endpoint.send() == UploadAPI.Receipt(id: 9))
        // Without a 104, the client does not know where to resume.
        let error = await #expect(throws: APIError.self) { try await endpoint.send() }
        #expect(error?.call.retryRejection == .notIdempotent)
        #expect(server.requests == ["POST", "POST"])
    }

    @Test("A cancelled upload stops and can be resumed", arguments: Carrier.allCases)
    func cancelled(_ carrier: Carrier) async throws {
        let server = try UploadServer("tus")
        let api = try Self.api(server, carrier)
        let (saved, control) = (Locked<Resumable.Token?>(nil), TransferControl())
        let body = HTTPBody(length: Self.bytes.count) { offset in StuckChunks(bytes: Data(Self.bytes.dropFirst(offset)))
        }
        let task = Task {
            try await api.upload(body, by: Resumable(.tus)).send(resuming: nil, controlledBy: control) { token in
                saved.withLock { $0 = token }
            }
        }
        for await progress in control.progress where progress.bytesAcknowledged == 0 { break }
        task.cancel()
        let error = await #expect(throws: APIError.self) { try await task.value }
        guard case .cancelled? = error else { return unexpected(error) }
        let token = try #require(saved.withLock { $0 })
        try await api.upload(.seekable(Self.bytes), by: Resumable(.tus)).send(resuming: token)
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
    }

    /// The first bytes of a body whose rest never arrives.
    private struct StuckChunks: AsyncSequence, Sendable {
        typealias Element = Data
        let bytes: Data

        struct Iterator: AsyncIteratorProtocol {
            var bytes: Data?
            var isEndless = false

            mutating func next() async throws -> Data? {
                guard let first = bytes.take() else {
                    if isEndless { try await Task.sleep(for: .seconds(3600)) }
                    return nil
                }
                // A token's digest reads no more than this.
                isEndless = first.count > 70_000
                return first.prefix(70_000)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes) }
    }
}

extension HTTPFields {
    fileprivate func contains(_ name: String) -> Bool { self[name] != nil }
}
