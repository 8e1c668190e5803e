import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Compression.md")
struct CompressionSamples {
    private let url = Sample.url

    @Test("The clauses in Compression.md compile")
    func clause() {
        let client = Client(url) {
            Compressed(.gzip)
        }
        #expect(client.url == url)
        #expect(Compressed(.zstd, .gzip, minimumBytes: 4_000).minimumBytes == 4_000)
        #expect(Compressed.none.codings.isEmpty)
    }

    #if os(Linux)
        @Test("The error text for a digest with Compressed matches Compression.md")
        func digest() async throws {
            let stub = StubTransport { _ in .status(204) }
            let client = Client(url, transport: stub) { Compressed(.gzip) }
            let endpoint: Endpoint<Void> = client.endpoint {
                POST("notes")
                Body(Data(repeating: 7, count: 2_000), contentType: "text/plain")
                Header("Content-Digest", "sha-256=:AAAA:")
            }
            let error = await #expect(throws: APIError.self) { try await endpoint.send() }
            let text = """
                Compressed(gzip): Content-Digest was computed over the uncompressed body; compute it in a Signed.Signer, which gets the compressed body, or declare Compressed.none
                """
            #expect("\(try #require(error))".contains(text))
        }
    #endif
}
