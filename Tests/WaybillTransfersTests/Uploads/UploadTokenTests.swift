import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTransfers

@Suite("Tokens of resumable uploads", .inTurn, .safetyNet)
struct UploadTokenTests {
    private static let bytes = Data.sample(count: 500_000)

    /// Interrupts an upload, and returns its token after an encoding round trip.
    private static func token(
        _ server: UploadServer,
        _ carrier: Carrier,
        _ endpoint: (UploadAPI) -> Endpoint<Void>
    ) async throws -> Resumable.Token {
        let api = UploadAPI(client: Client(server.url, transport: try carrier.transport()))
        let saved = Locked<[Data]>([])
        await #expect(throws: APIError.self) {
            try await endpoint(api).send(resuming: nil) { token in
                saved.withLock { $0.append((try? JSONEncoder().encode(token)) ?? Data()) }
            }
        }
        #expect(saved.withLock { $0.count } == 1)
        return try JSONDecoder().decode(Resumable.Token.self, from: try #require(saved.withLock { $0.first }))
    }

    @Test(
        "A stored token resumes the upload with another client, and no further token is saved",
        arguments: Carrier.allCases,
        TestedProtocol.allCases
    )
    func resumed(_ carrier: Carrier, _ tested: TestedProtocol) async throws {
        let first = tested.createsWithContent(over: carrier) ? "POST 1" : "PATCH 1"
        let server = try UploadServer(tested.rawValue, [first: .breaks(after: 123_456)])
        let resumable = Resumable(tested.declared)
        let token = try await Self.token(server, carrier) { $0.upload(.seekable(Self.bytes), by: resumable) }
        #expect(token.length == Self.bytes.count)
        #expect(token.url == server.url.appending(path: "uploads/1"))
        let before = server.requests.count
        let client = Client(server.url, transport: try carrier.transport())
        let saves = Locked(0)
        try await UploadAPI(client: client).upload(HTTPBody(Self.bytes), by: resumable).send(resuming: token) { _ in
            saves.withLock { $0 += 1 }
        }
        #expect(server.requests.dropFirst(before) == ["HEAD", "PATCH 123456"])
        #expect(server.uploads.map(\.bytes) == [Self.bytes])
        #expect(saves.withLock { $0 } == 0)
    }

    @Test("A form's token continues the upload with the same boundary", arguments: TestedProtocol.allCases)
    func form(_ tested: TestedProtocol) async throws {
        let server = try UploadServer(tested.rawValue, ["PATCH 1": .breaks(after: 300_000)])
        let form = { (api: UploadAPI) -> Endpoint<Void> in
            api.endpoint {
                POST("files")
                Multipart {
                    Multipart.Part("title", "Dawn")
                    Multipart.Part("video", Self.bytes, fileName: "dawn.mov")
                }
                Resumable(tested.declared)
            }
        }
        let token = try await Self.token(server, .urlSession, form)
        let client = Client(server.url, transport: try Carrier.urlSession.transport())
        try await form(UploadAPI(client: client)).send(resuming: token)
        let received = try #require(server.uploads.first).bytes
        let boundary = try #require(received.firstRange(of: Data("\r\n".utf8)).map { received[..<$0.lowerBound] })
        #expect(received.suffix(boundary.count + 4) == boundary + Data("--\r\n".utf8))
        #expect(received.range(of: Self.bytes) != nil)
        #expect(server.exchanges.filter { $0.method == "POST" }.count == 1)
    }

    @Test("A token of another call is an error, and nothing is sent")
    func wrong() async throws {
        let server = try UploadServer("tus", ["PATCH 1": .breaks(after: 1000)])
        let token = try await Self.token(server, .urlSession) { $0.upload(.seekable(Self.bytes), by: Resumable(.tus)) }
        let count = server.requests.count
        let api = UploadAPI(client: Client(server.url, transport: try Carrier.urlSession.transport()))
        var other = Self.bytes
        other[0] ^= 1
        var otherEnd = Self.bytes
        otherEnd[otherEnd.count - 1] ^= 1
        let elsewhere: Endpoint<Void> = api.endpoint {
            POST("files/2")
            Body(Self.bytes, contentType: "video/mp4")
            Resumable(.tus)
        }
        let cases: [(Endpoint<Void>, APIError.UploadFailure.Difference)] = [
            (api.upload(HTTPBody(Self.bytes), by: Resumable(.draft)), .uploadProtocol),
            (elsewhere, .endpoint),
            (api.upload(HTTPBody(Self.bytes.dropLast()), by: Resumable(.tus)), .length),
            (api.upload(HTTPBody(other), by: Resumable(.tus)), .content),
            (api.upload(HTTPBody(otherEnd), by: Resumable(.tus)), .content),
        ]
        for (endpoint, difference) in cases {
            let error = await #expect(throws: APIError.self) { try await endpoint.send(resuming: token) }
            guard case .upload(let failure)? = error else { return unexpected(error) }
            #expect(failure.reason == .wrongToken(difference))
        }
        #expect(server.requests.count == count)
    }

    @Test("A token of an expired upload throws that reason, and a call without the token starts again")
    func expired() async throws {
        for tested in TestedProtocol.allCases {
            let server = try UploadServer(tested.rawValue, ["PATCH 1": .breaks(after: 1000)])
            let endpoint = { (api: UploadAPI) in api.upload(.seekable(Self.bytes), by: Resumable(tested.declared)) }
            let token = try await Self.token(server, .urlSession, endpoint)
            server.removeUploads()
            let api = UploadAPI(client: Client(server.url, transport: try Carrier.urlSession.transport()))
            let error = await #expect(throws: APIError.self) { try await endpoint(api).send(resuming: token) }
            guard case .upload(let failure)? = error else { return unexpected(error) }
            #expect(failure.reason == .expired(404))
            try await endpoint(api).send(resuming: nil)
            #expect(server.uploads.map(\.bytes) == [Self.bytes])
        }
    }

    @Test("A token for an endpoint without Resumable is a declaration error, and a token's dump hides the path")
    func withoutClause() async throws {
        let server = try UploadServer("tus", ["PATCH 1": .breaks(after: 1000)])
        let token = try await Self.token(server, .urlSession) { $0.upload(.seekable(Self.bytes), by: Resumable(.tus)) }
        #expect("\(token)" == "upload of 500000 bytes by tus at \(server.url)")
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("uploads/1"))
        let api = UploadAPI(client: Client(server.url, transport: try Carrier.urlSession.transport()))
        let plain: Endpoint<Void> = api.endpoint {
            POST("files")
            Body(Self.bytes, contentType: "video/mp4")
        }
        let error = await #expect(throws: APIError.self) { try await plain.send(resuming: token) }
        guard case .request(let failure)? = error else { return unexpected(error) }
        #expect(failure.declarationErrors.map(\.clause) == ["Resumable"])
    }
}
