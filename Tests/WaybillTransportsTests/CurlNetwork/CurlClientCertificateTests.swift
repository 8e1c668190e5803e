#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillCurl

    @Suite("CurlTransport: client certificates", .enabled(if: Shell.finds("openssl")), .inTurn, .safetyNet)
    struct CurlClientCertificateTests {
        private let directory = TemporaryDirectory()

        private var folder: URL { directory.url }

        init() throws {
            try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
            try TestCertificates.make(in: directory.url)
        }

        private func file(_ name: String) -> String { folder.appending(path: name).path }

        private func transport(_ change: (inout CurlTransport.Configuration) -> Void) throws -> CurlTransport {
            try CurlTransport(
                .with {
                    $0.tls.trust = .authorities(.file(file("authority.pem")))
                    change(&$0)
                }
            )
        }

        @Test(
            "A client certificate rejected during or after the handshake is a TLS error",
            arguments: ["tls1_2", "tls1_3"],
            [false, true]
        )
        func rejectedClient(_ version: String, _ hasWrongCertificate: Bool) async throws {
            let requiring = try CertificateServer(in: folder, version: version)
            defer { requiring.stop() }
            let transport = try transport { configuration in
                configuration.tls.clientCertificate =
                    hasWrongCertificate
                    ? .init(certificate: .file(file("other.pem")), privateKey: .file(file("other.key")))
                    : nil
            }
            for body in [nil, HTTPBody(Data(count: 300_000))] {
                var request = HTTPRequest(method: body == nil ? .get : .put, url: requiring.url)
                request.body = body
                let error = await #expect(throws: TransportError.self) { _ = try await transport.send(request) }
                #expect(error?.kind == .secureConnectionFailed, "\(String(describing: error))")
                #expect((error?.phase ?? .queued) >= .securing)
                #expect(error?.message.contains("alert") == true)
                if version == "tls1_3" {
                    #expect(error?.message.contains("requires a client certificate, or rejected") == true)
                }
            }
            // With the right certificate, the same server responds.
            let accepted = try self.transport { configuration in
                configuration.tls.clientCertificate = .init(
                    certificate: .file(file("client.pem")),
                    privateKey: .file(file("client.key")),
                    password: TestCertificates.password
                )
            }
            #expect(try await accepted.get(requiring.url).response.status == 200)
        }
    }
#endif
