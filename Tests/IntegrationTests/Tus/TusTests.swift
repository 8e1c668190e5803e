import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTransfers

@Suite("Resumable uploads to a third-party tus server", .running(.tus), .inTurn, .safetyNet)
struct TusTests {
    struct Uploads: API {
        let client: Client

        init(_ tested: TransportUnderTest) {
            client = Client(Server.tus.url, transport: tested.transport) {
                // The server keeps an upload locked for a moment after its connection breaks.
                Retry(attempts: 5, statuses: [409, 423, 500, 503])
            }
        }

        func upload(_ body: HTTPBody, maximumPartBytes: Int? = nil) -> Endpoint<Void> {
            endpoint {
                POST("files")
                Body(body, contentType: "application/octet-stream")
                Resumable(
                    .tus(metadata: ["filename": "\(uniqueName()).bin", "filetype": "application/octet-stream"]),
                    maximumPartBytes: maximumPartBytes
                )
            }
        }

        func stored(_ url: URL) -> Endpoint<Data> { client.endpoint { GET("stored/\(url.lastPathComponent)") } }
    }

    private static let bytes = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })

    @Test("An upload arrives complete, in one part and in several", arguments: TransportUnderTest.all)
    func whole(_ tested: TransportUnderTest) async throws {
        for maximumPartBytes in [nil, 700_000] {
            let uploads = Uploads(tested)
            let control = TransferControl()
            async let response = uploads.upload(HTTPBody(Self.bytes), maximumPartBytes: maximumPartBytes).response(
                controlledBy: control
            )
            var last: TransferControl.Progress?
            for await progress in control.progress { last = progress }
            let url = try await response.url
            #expect(last?.fractionAcknowledged == 1)
            #expect(try await uploads.stored(url).send() == Self.bytes)
        }
    }

    @Test("A canceled upload resumes from its token", arguments: TransportUnderTest.all)
    func resumed(_ tested: TransportUnderTest) async throws {
        let uploads = Uploads(tested)
        let (saved, control) = (Locked<Resumable.Token?>(nil), TransferControl())
        let task = Task {
            try await uploads.upload(HTTPBody(Self.bytes), maximumPartBytes: 100_000)
                .send(resuming: nil, controlledBy: control) { token in saved.withLock { $0 = token } }
        }
        for await progress in control.progress where progress.bytesAcknowledged ?? 0 >= 300_000 { break }
        task.cancel()
        await #expect(throws: APIError.self) { try await task.value }
        let token = try #require(saved.withLock { $0 })
        let response = try await uploads.upload(HTTPBody(Self.bytes)).response(resuming: token)
        #expect(response.url == token.url)
        #expect(try await uploads.stored(response.url).send() == Self.bytes)
    }

    @Test("Resuming an upload that the server does not know throws an error", arguments: TransportUnderTest.all)
    func unknown(_ tested: TransportUnderTest) async throws {
        let uploads = Uploads(tested)
        let saved = Locked<Resumable.Token?>(nil)
        let response = try await uploads.upload(HTTPBody(Self.bytes)).response(resuming: nil) { token in
            saved.withLock { $0 = token }
        }
        let token = try #require(saved.withLock { $0 })
        #expect(token.url == response.url)
        let text = String(decoding: try JSONEncoder().encode(token), as: UTF8.self)
        let id = response.url.lastPathComponent
        let other = text.replacingOccurrences(of: id, with: String(id.reversed()))
        let unknown = try JSONDecoder().decode(Resumable.Token.self, from: Data(other.utf8))
        let error = try await failure { try await uploads.upload(HTTPBody(Self.bytes)).send(resuming: unknown) }
        guard case .upload(let failure) = error else { throw UnexpectedEnd("\(error)") }
        #expect(failure.reason == .expired(404))
    }
}
