import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Downloads.md")
struct DownloadsSamples {
    struct Shop: API {
        let client: Client

        func export(_ id: Int) -> Endpoint<Data> {
            endpoint { GET("exports/\(id)") }
        }
    }

    private let url = Sample.url
    private let folder = FileManager.default.temporaryDirectory

    @Test("The download in Downloads.md has the bytes of the response")
    func download() async throws {
        let stub = StubTransport(["GET exports/{}": .text("bytes")])
        let shop = Shop(client: Client(url, transport: stub))
        let folder = folder.appending(path: "waybill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let file = try await shop.export(7).download(to: folder.appending(path: "export.zip"))
        print(file.length, file.contentType ?? "unknown", file.wasResumed)

        #expect(try Data(contentsOf: file.file) == Data("bytes".utf8))
    }

    @Test("The catch of a download error in Downloads.md compiles")
    func error() async {
        let shop = Shop(client: Client(url, transport: StubTransport(["GET exports/{}": .text("bytes")])))
        let file = folder.appending(path: "waybill-\(UUID().uuidString)/export.zip")

        do throws(APIError) {
            _ = try await shop.export(7).download(to: file)
        } catch .download(let failure) where failure.reason == .diskFull {
            print("free some space, and continue")
        } catch {
            print(error)
        }
    }

    @Test("The observer in Downloads.md compiles")
    func observer() throws {
        let client = Client(url) {
            Retry(attempts: 5)
            Observe { event in
                if case .restarted(let reason) = event.kind { print("\(event.template) \(reason)") }
            }
        }
        #expect(try Shop(client: client).export(7).template == "exports/{}")
    }

    @Test("The loop in Downloads.md reads the complete body")
    func bytes() async throws {
        let shop = Shop(client: Client(url, transport: StubTransport(["GET exports/{}": .text("bytes")])))
        var count = 0

        let stream = try await shop.export(7).bytes()
        for try await chunk in stream { count += chunk.count }

        #expect(count == 5)
    }
}
