import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Files that change while they are uploaded", .inTurn, .safetyNet)
struct ChangedFileTests {
    private static let bytes = Data.sample(count: 200_000)

    /// A change to a file by another program.
    enum Change: String, Sendable, CaseIterable {
        /// Every byte changes.
        case rewritten
        /// Another file with different bytes and the same modification time takes its name.
        case replaced
        case grown
        case shrunken
        case removed

        func make(of file: URL) throws {
            switch self {
            case .rewritten: try Data(bytes.map { ~$0 }).write(to: file)
            case .replaced:
                let other = file.appendingPathExtension("other")
                try Data(bytes.map { ~$0 }).write(to: other)
                try ChangedFileTests.date(other)
                _ = rename(other.path, file.path)
            case .grown: try (bytes + Data("more".utf8)).write(to: file)
            case .shrunken: try bytes.prefix(199_999).write(to: file)
            case .removed: try FileManager.default.removeItem(at: file)
            }
        }
    }

    /// Gives a file a modification time unlike any set by a test's changes.
    private static func date(_ file: URL) throws {
        let date = Date(timeIntervalSince1970: 1_600_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    private let directory = TemporaryDirectory()

    private func makeFile() throws -> URL {
        let file = try directory.file(Self.bytes)
        try Self.date(file)
        return file
    }

    /// Returns the endpoint of an upload with a file body or a multipart form.
    private static func endpoint(_ client: Client, _ file: URL, _ resumable: Resumable, form: Bool) -> Endpoint<Void> {
        form
            ? client.endpoint {
                POST("files")
                Multipart {
                    Multipart.Part("title", "Dawn")
                    Multipart.Part("video", file: file)
                }
                resumable
            }
            : client.endpoint {
                POST("files")
                Body(file: file, contentType: "video/mp4")
                resumable
            }
    }

    @Test(
        "A file that changes between two parts or during a broken connection fails the upload",
        arguments: Thoroughness.some(Change.allCases, oneIn: 3),
        TestedProtocol.allCases
    )
    func parts(_ change: Change, _ tested: TestedProtocol) async throws {
        let pairs = [(false, true), (true, false)] + (Thoroughness.isWhole ? [(false, false), (true, true)] : [])
        for (form, breaks) in pairs {
            for carrier in Carrier.allCases {
                let file = try makeFile()
                let server = try UploadServer(tested.rawValue, breaks ? ["PATCH 2": .breaks(after: 1000)] : [:])
                let heads = Locked(0)
                let client = Client(server.url, transport: try carrier.transport(), clock: SkippingClock()) {
                    Retry(attempts: 4)
                    Observe { event in
                        switch event.kind {
                        case .head where !breaks:
                            let number = heads.withLock { heads in
                                heads += 1
                                return heads
                            }
                            // The creation and two parts.
                            if number == 3 { try? change.make(of: file) }
                        case .retried: try? change.make(of: file)
                        default: break
                        }
                    }
                }
                let resumable = Resumable(tested.declared, maximumPartBytes: 60_000)
                let endpoint = Self.endpoint(client, file, resumable, form: form)
                let error = await #expect(throws: APIError.self) { try await endpoint.send() }
                guard case .upload(let failure)? = error else { return unexpected(error) }
                #expect(failure.reason == .changedFile(path: file.path))
                #expect("\(failure)".contains("send the call again without a token"))
                // No byte of another version reached the server.
                let received = try #require(server.uploads.first?.bytes)
                #expect(received.count < Self.bytes.count)
                #expect(form || received == Self.bytes.prefix(received.count))
            }
        }
    }

    @Test(
        "A token of a file that has changed since then is an error, and nothing is sent",
        arguments: Thoroughness.some(Change.allCases, oneIn: 2)
    )
    func token(_ change: Change) async throws {
        guard change != .removed else { return }
        for (tested, form) in [(TestedProtocol.tus, false), (.tus, true), (.draft, false), (.draft, true)] {
            let file = try makeFile()
            let server = try UploadServer(tested.rawValue, ["PATCH 1": .breaks(after: 100_000)])
            let client = Client(server.url, transport: try Carrier.urlSession.transport())
            let saved = Locked(Data())
            let resumable = Resumable(tested.declared)
            await #expect(throws: APIError.self) {
                try await Self.endpoint(client, file, resumable, form: form).send(resuming: nil) { token in
                    saved.withLock { $0 = (try? JSONEncoder().encode(token)) ?? Data() }
                }
            }
            let token = try JSONDecoder().decode(Resumable.Token.self, from: saved.withLock { $0 })
            // The start and the end, which the token's digest covers, are unchanged.
            if change == .rewritten {
                var bytes = Self.bytes
                bytes[100_000] ^= 1
                try bytes.write(to: file)
            } else {
                try change.make(of: file)
            }
            let count = server.requests.count
            let error = await #expect(throws: APIError.self) {
                try await Self.endpoint(client, file, resumable, form: form).send(resuming: token)
            }
            guard case .upload(let failure)? = error, case .wrongToken(let difference) = failure.reason else {
                return unexpected(error)
            }
            switch change {
            case .grown, .shrunken: #expect(difference == .length)
            case .replaced: #expect(difference == .content)
            default: #expect(difference == .file)
            }
            #expect(server.requests.count == count)
            try? FileManager.default.removeItem(at: file)
        }
    }

    @Test("With a token, a rewritten file with a restored modification time is detected by its start")
    func setBack() async throws {
        for tested in TestedProtocol.allCases {
            let file = try makeFile()
            let server = try UploadServer(tested.rawValue)
            let heads = Locked(0)
            let client = Client(server.url, transport: try Carrier.urlSession.transport()) {
                Observe { event in
                    guard case .head = event.kind,
                        heads.withLock({
                            $0 += 1; return $0
                        }) == 3
                    else { return }
                    try? Change.rewritten.make(of: file)
                    try? Self.date(file)
                }
            }
            let endpoint = Self.endpoint(
                client,
                file,
                Resumable(tested.declared, maximumPartBytes: 60_000),
                form: false
            )
            let error = await #expect(throws: APIError.self) { try await endpoint.send(resuming: nil) { _ in } }
            guard case .upload(let failure)? = error else { return unexpected(error) }
            #expect(failure.reason == .changedFile(path: file.path))
            #expect(server.uploads.map(\.bytes) == [Self.bytes.prefix(120_000)])
        }
    }

    @Test("A token of an earlier version, which lacks the file's identity, resumes the upload")
    func earlierToken() async throws {
        let file = try makeFile()
        let server = try UploadServer("tus", ["PATCH 1": .breaks(after: 100_000)])
        let client = Client(server.url, transport: try Carrier.urlSession.transport())
        let endpoint = Self.endpoint(client, file, Resumable(.tus), form: false)
        let saved = Locked(Data())
        await #expect(throws: APIError.self) {
            try await endpoint.send(resuming: nil) { token in
                saved.withLock { $0 = (try? JSONEncoder().encode(token)) ?? Data() }
            }
        }
        let json = saved.withLock { $0 }
        var members = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(members.removeValue(forKey: "fileDigest") != nil)
        let token = try JSONDecoder().decode(
            Resumable.Token.self,
            from: JSONSerialization.data(withJSONObject: members)
        )
        try await endpoint.send(resuming: token)
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
    }

    @Test(
        "A file that changes before a retry or redirect resends it is an error, unless it only grew",
        arguments: Change.allCases,
        [StubResponse.status(503), .redirect(to: "b", status: 307)]
    )
    func replayed(_ change: Change, _ first: StubResponse) async throws {
        for carrier in Carrier.allCases {
            let file = try makeFile()
            let responses: StubResponses = ["PUT a": .sequence([first, .status(204)]), "PUT b": .status(204)]
            try await LoopbackServer.run(responses) { server async throws in
                let client = Client(server.url, transport: try carrier.transport(), clock: SkippingClock()) {
                    Retry(attempts: 4)
                    Observe { event in
                        if case .head(let status) = event.kind, status != 204 { try? change.make(of: file) }
                    }
                }
                let endpoint: Endpoint<Void> = client.endpoint {
                    PUT("a")
                    Body(file: file, contentType: "video/mp4")
                }
                if change == .grown {
                    try await endpoint.send()
                    #expect(server.requests.map(\.body) == [Self.bytes, Self.bytes])
                    return
                }
                let error = await #expect(throws: APIError.self) { try await endpoint.send() }
                guard case .transport(let failure)? = error else { return unexpected(error) }
                #expect(server.requests.map(\.body) == [Self.bytes])
                guard [.rewritten, .replaced].contains(change) else { return }
                #expect(failure.error.kind == .unsupportedRequest, "\(failure)")
                #expect("\(failure)".contains("\(file.path) has changed since the request was made"))
            }
        }
    }
}
