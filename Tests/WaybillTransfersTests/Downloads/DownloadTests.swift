import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting
import WaybillTransfers

@Suite("Downloads", .largeInTurn, .safetyNet)
struct DownloadTests {
    /// Runs a closure after a download whose response was cut off, with its endpoint, folder, and server.
    private static func withBrokenDownload<Result>(
        _ carrier: Carrier,
        _ first: ServedFile = ServedFile(),
        accepting coding: String? = nil,
        then next: @escaping @Sendable (ReceivedRequest) -> StubResponse,
        recorder: Recorder = Recorder(),
        _ body: (Endpoint<Data>, DownloadFolder, LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let folder = try DownloadFolder()
        let responses = ServedFile.responses { request, number in
            number == 1 ? first.response(to: request).truncated(afterBytes: 1_000_000) : next(request)
        }
        return try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: try carrier.transport()) {
                Observe(recorder)
                if let coding { Header("Accept-Encoding", coding) }
            }
            let endpoint = FileAPI(client: client).file()
            await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) }
            #expect(!FileManager.default.fileExists(atPath: folder.file.path))
            return try await body(endpoint, folder, server)
        }
    }

    @Test("A downloaded file has the response's bytes, and no other file remains", arguments: Carrier.allCases)
    func whole(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let served = ServedFile()
        try Data("old".utf8).write(to: folder.file)
        try await LoopbackServer.run(["GET files/{}": .response { served.response(to: $0) }]) { server async throws in
            let recorder = Recorder()
            let client = Client(server.url, transport: try carrier.transport()) { Observe(recorder) }
            let file = try await FileAPI(client: client).file().download(to: folder.file)
            #expect(file.file == folder.file)
            #expect(file.length == served.bytes.count)
            #expect(file.contentType == "application/octet-stream")
            #expect(file.status == 200)
            #expect(!file.wasResumed)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            #expect(try folder.names == ["export.zip"])
            #expect(recorder.kinds == ["began", "sent", "head, 200 OK", "body, 3.0 MB", "finished, 200 OK"])
            let request = try #require(server.requests.first)
            #expect(request.headerFields[.acceptEncoding] == "identity")
            #expect(request.headerFields[.wantReprDigest] == "sha-256=10")
            #expect(request.headerFields[.range] == nil)
        }
    }

    @Test("A later download requests the missing bytes with If-Range", arguments: Carrier.allCases)
    func resumed(_ carrier: Carrier) async throws {
        let served = ServedFile()
        try await Self.withBrokenDownload(carrier, then: { served.response(to: $0) }) {
            endpoint,
            folder,
            server async throws in
            let have = try Data(contentsOf: folder.part).count
            #expect(have > 0)
            let file = try await endpoint.download(to: folder.file)
            #expect(file.bytesResumed == have)
            #expect(file.length == served.bytes.count)
            #expect(file.contentType == "application/octet-stream")
            #expect(file.status == 200)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            #expect(try folder.names == ["export.zip"])
            let request = try #require(server.requests.last)
            #expect(request.headerFields[.range] == "bytes=\(have)-")
            #expect(request.headerFields[.ifRange] == #""v1""#)
        }
    }

    @Test("A partial file is not resumed for another ID, even if the entity tags match")
    func otherID() async throws {
        let served = ServedFile(bytes: Data(repeating: 7, count: 3_000_000))
        try await Self.withBrokenDownload(Carrier.allCases[0], then: { served.response(to: $0) }) {
            endpoint,
            folder,
            server async throws in
            let file = try await FileAPI(client: endpoint.client).file(2).download(to: folder.file)
            #expect(!file.wasResumed)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            let request = try #require(server.requests.last)
            #expect(request.path == "/files/2")
            #expect(request.headerFields[.range] == nil)
        }
    }

    @Test("A download resumes with the current query and credential", arguments: Carrier.allCases)
    func otherSignature(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let served = ServedFile()
        let responses: StubResponses = [
            "GET files/{}": .response { request in
                let isFirst = request.query("signature") == "a" && request.headerFields[.authorization] == "Bearer old"
                let response = served.response(to: request)
                return isFirst ? response.truncated(afterBytes: 1_000_000) : response
            }
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let endpoint = { (token: String, signature: String) throws -> Endpoint<Data> in
                let client = Client(server.url, transport: try carrier.transport()) { Authorization(.bearer(token)) }
                return FileAPI(client: client).file().with { Query("signature", signature) }
            }
            await #expect(throws: APIError.self) { try await endpoint("old", "a").download(to: folder.file) }
            let file = try await endpoint("new", "b").download(to: folder.file)
            #expect(file.wasResumed)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            let request = try #require(server.requests.last)
            #expect(request.query("signature") == "b")
            #expect(request.headerFields[.authorization] == "Bearer new")
            #expect(request.headerFields[.range] != nil)
        }
    }

    @Test("A concurrency limit counts a download until its file is complete, and middleware sees its responses")
    func limited() async throws {
        struct Noting: Middleware {
            let statuses: Locked<[Int]>

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                let response = try await next(request)
                statuses.withLock { $0.append(response.status.code) }
                return response
            }
        }
        let folder = try DownloadFolder()
        let gate = Gate()
        let served = ServedFile()
        let statuses = Locked<[Int]>([])
        let recorder = Recorder()
        let responses: StubResponses = [
            "GET files/{}": .response { served.response(to: $0).bodyHeld(by: gate) }, "GET next": .text("next"),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url) {
                Limit(concurrent: 1)
                Use(Noting(statuses: statuses))
                Observe(recorder)
            }
            async let file = FileAPI(client: client).file().download(to: folder.file)
            _ = await server.waitForRequests(count: 1)
            async let next = client.get("next", as: String.self)
            await waitUntil { recorder.kinds.contains("queued") || server.requestCount == 2 }
            #expect(server.requestCount == 1)
            gate.open()
            #expect(try await file.length == served.bytes.count)
            #expect(try await next == "next")
            #expect(statuses.withLock { $0 } == [200, 200])
            #expect(try Data(contentsOf: folder.file) == served.bytes)
        }
    }

    @Test("Retry resumes an interrupted body within the call", arguments: Carrier.allCases)
    func retried(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let served = ServedFile()
        let responses = served.responses { response, number in
            number < 4 ? response.truncated(afterBytes: 700_000) : response
        }
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: try carrier.transport(), clock: SkippingClock()) {
                Retry(attempts: 6)
            }
            let file = try await FileAPI(client: client).file().download(to: folder.file)
            #expect(!file.wasResumed)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            #expect(server.requests.dropFirst().allSatisfy { $0.headerFields[.ifRange] == #""v1""# })
        }
    }

    @Test("A file without an entity tag is resumed with a strong modification date", arguments: Carrier.allCases)
    func date(_ carrier: Carrier) async throws {
        var file = ServedFile()
        file.eTag = nil
        let changed = "Sun, 06 Nov 1994 08:49:37 GMT"
        file.fields = [("Last-Modified", changed), ("Date", "Sun, 06 Nov 1994 09:00:00 GMT")]
        let served = file
        try await Self.withBrokenDownload(
            carrier,
            served,
            then: { served.response(to: $0) }
        ) { endpoint, folder, server async throws in
            #expect(try await endpoint.download(to: folder.file).wasResumed)
            #expect(server.requests.last?.headerFields[.ifRange] == changed)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
        }
    }

    @Test("A changed file or an unsatisfied range restarts the download with its reason", arguments: Carrier.allCases)
    func restarted(_ carrier: Carrier) async throws {
        var changed = ServedFile(bytes: Data(Data.sample(count: 2_000_000).reversed()))
        changed.eTag = #""v2""#
        let (other, same) = (changed, ServedFile())
        var ignoring = same
        ignoring.knowsRanges = false
        let whole = ignoring
        // The entity tag is the same, but the file has shrunk.
        let shorter = ServedFile(bytes: same.bytes.prefix(2_000_000))
        let isWhole = { @Sendable (request: ReceivedRequest) in request.headerFields[.range] == nil }
        let cases: [(CallEvent.RestartReason, Data, @Sendable (ReceivedRequest) -> StubResponse)] = [
            (.changed, other.bytes, { other.response(to: $0) }),
            (.rangeIgnored, same.bytes, { whole.response(to: $0) }),
            (
                .rangeRejected, same.bytes,
                { isWhole($0) ? whole.response(to: $0) : .status(416).header("Content-Range", "bytes */500") }
            ),
            (
                .changed, shorter.bytes,
                { isWhole($0) ? shorter.response(to: $0) : shorter.described(shorter.part(999_000..<2_000_000)) }
            ),
            (
                .rangeRejected, shorter.bytes,
                { isWhole($0) ? shorter.response(to: $0) : .status(416).header("Content-Range", "bytes */2000000") }
            ),
            (
                .unusableRange, same.bytes,
                { isWhole($0) ? whole.response(to: $0) : same.described(same.part(2_000_000..<3_000_000)) }
            ),
        ]
        for (reason, bytes, next) in cases {
            let recorder = Recorder()
            try await Self.withBrokenDownload(carrier, then: next, recorder: recorder) {
                endpoint,
                folder,
                _ async throws in
                let file = try await endpoint.download(to: folder.file)
                #expect(!file.wasResumed)
                #expect(try Data(contentsOf: folder.file) == bytes)
                #expect(try folder.names == ["export.zip"])
                #expect(
                    recorder.kinds.filter { $0.hasPrefix("from the start") } == ["from the start, because \(reason)"]
                )
            }
        }
    }

    @Test("A range that starts or ends early is written at its offset", arguments: Carrier.allCases)
    func otherRanges(_ carrier: Carrier) async throws {
        let served = ServedFile()
        let next: @Sendable (ReceivedRequest) -> StubResponse = { request in
            let text = request.headerFields[.range].map { $0.dropFirst("bytes=".count).dropLast() } ?? ""
            let start = (Int(text) ?? 0) - 10
            return served.described(served.part(start..<min(start + 700_000, served.bytes.count)))
        }
        try await Self.withBrokenDownload(carrier, then: next) { endpoint, folder, server async throws in
            #expect(try await endpoint.download(to: folder.file).wasResumed)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            #expect(server.requestCount > 2)
        }
    }

    @Test("A file with a weak entity tag is not resumed", arguments: Carrier.allCases)
    func weakTag(_ carrier: Carrier) async throws {
        var weak = ServedFile()
        weak.eTag = #"W/"v1""#
        try await Self.expectNotContinued(carrier, weak)
    }

    @Test(
        "A file in an unknown content coding is not resumed",
        arguments: Carrier.without(.rejectsUnknownCodings)
    )
    func coded(_ carrier: Carrier) async throws {
        var coded = ServedFile()
        coded.fields = [("Content-Encoding", "rot13")]
        try await Self.expectNotContinued(carrier, coded, accepting: "rot13")
    }

    @Test("A file in an unknown content coding is an error unless the call requests that coding")
    func unknownCoding() async throws {
        let folder = try DownloadFolder()
        let stub = StubTransport { request in
            .text("coded").header("Content-Encoding", "identity, Rot13")
                .header("X-Asked", request.headerFields[.acceptEncoding] ?? "")
        }
        try Data("former".utf8).write(to: folder.file)
        let file: Endpoint<Data> = Client(Shop.url, transport: stub).endpoint { GET("file") }
        let error = await #expect(throws: APIError.self) { try await file.download(to: folder.file) }
        let text = "\(try #require(error))"
        #expect(text.contains("the content coding rot13"), "\(text)")
        #expect(text.contains(#"declare Header("Accept-Encoding", "rot13") for the coded bytes"#), "\(text)")
        #expect(try Data(contentsOf: folder.file) == Data("former".utf8))
        let coded: Endpoint<Data> = Client(Shop.url, transport: stub).endpoint {
            GET("file")
            Header("Accept-Encoding", "rot13")
        }
        let saved = try await coded.download(to: folder.file)
        #expect(saved.headerFields["X-Asked"] == "rot13")
        #expect(try Data(contentsOf: folder.file) == Data("coded".utf8))
    }

    private static func expectNotContinued(
        _ carrier: Carrier,
        _ served: ServedFile,
        accepting coding: String? = nil
    ) async throws {
        try await withBrokenDownload(
            carrier,
            served,
            accepting: coding,
            then: { served.response(to: $0) }
        ) { endpoint, folder, server async throws in
            #expect(try folder.names == [])
            #expect(try await !endpoint.download(to: folder.file).wasResumed)
            #expect(server.requests.last?.headerFields[.range] == nil)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
        }
    }

    @Test("A content coding is decoded, and a digest of the coded bytes is ignored", arguments: Carrier.allCases)
    func decoded(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAACA0vLzEsFAJJUqb4EAAAA"))
        let digest = Data(repeating: 7, count: 32).base64EncodedString()
        let response = StubResponse.bytes(gzip)
            .header("ETag", #""v1""#)
            .header("Content-Encoding", "gzip")
            .header("Repr-Digest", "sha-256=:\(digest):")
        try await LoopbackServer.run(["GET files/{}": .response(response)]) { server async throws in
            let client = Client(server.url, transport: try carrier.transport())
            #expect(try await FileAPI(client: client).file().download(to: folder.file).length == 4)
            #expect(try Data(contentsOf: folder.file) == Data("fine".utf8))
        }
    }

    @Test("A complete partial file is checked with the server and then renamed", arguments: Carrier.allCases)
    func completePart(_ carrier: Carrier) async throws {
        let served = ServedFile()
        try await Self.withBrokenDownload(carrier, then: { served.response(to: $0) }) {
            endpoint,
            folder,
            server async throws in
            try served.bytes.write(to: folder.part)
            // Records of an earlier version lack the number of bytes written.
            let json = try Data(contentsOf: folder.record)
            var record = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
            #expect(record.removeValue(forKey: "progress") != nil)
            try JSONSerialization.data(withJSONObject: record).write(to: folder.record)
            let file = try await endpoint.download(to: folder.file)
            #expect(file.bytesResumed == served.bytes.count - 1)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            #expect(server.requestCount == 2)
        }
    }

    @Test("A cancelled download leaves its partial file for the next one", arguments: Carrier.allCases)
    func cancelled(_ carrier: Carrier) async throws {
        let folder = try DownloadFolder()
        let served = ServedFile()
        let isFirst = Locked(true)
        let responses: StubResponses = [
            "GET files/{}": .response { request in
                let first = isFirst.withLock { first in
                    defer { first = false }
                    return first
                }
                let response = served.response(to: request)
                return first ? response.dripped(bytes: 100_000, every: .seconds(3600)) : response
            }
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: try carrier.transport())
            let task = Task { try await FileAPI(client: client).file().download(to: folder.file) }
            await waitUntil { (try? Data(contentsOf: folder.part).count) ?? 0 > 0 }
            task.cancel()
            let error = await #expect(throws: APIError.self) { try await task.value }
            guard case .cancelled? = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(try await FileAPI(client: client).file().download(to: folder.file).wasResumed)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
        }
    }

    @Test("A Timeout ends a download without a file at the destination")
    func timeout() async throws {
        let folder = try DownloadFolder()
        let clock = ManualClock()
        let served = ServedFile()
        let responses: StubResponses = ["GET files/{}": .response { served.response(to: $0).bodyNever() }]
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, clock: clock) { Timeout(.seconds(30)) }
            async let failure: APIError? = {
                do throws(APIError) {
                    _ = try await FileAPI(client: client).file().download(to: folder.file)
                    return nil
                } catch {
                    return error
                }
            }()
            await clock.waitForSleepers(count: 1)
            await waitUntil { FileManager.default.fileExists(atPath: folder.record.path) }
            clock.advance(by: .seconds(30))
            guard case .timeout? = await failure else { return #expect(Bool(false)) }
            #expect(!FileManager.default.fileExists(atPath: folder.file.path))
        }
    }
}
