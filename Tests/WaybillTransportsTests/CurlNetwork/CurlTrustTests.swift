import CallSupport

#if os(Linux)
    import CWaybill
    import Foundation
    import TestSupport
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("CurlTransport: trusted authorities", .needsTLSServer, .inTurn, .safetyNet)
    struct CurlTrustTests {
        /// The peer with the verified certificate.
        enum Peer: CaseIterable {
            case server
            case proxy
        }

        struct Row: CustomTestStringConvertible {
            let testDescription: String
            let isTrusted: Bool
            let trust: @Sendable (TLSServer) throws -> CurlTransport.TLS.Trust

            init(
                _ testDescription: String,
                isTrusted: Bool,
                _ trust: @escaping @Sendable (TLSServer) throws -> CurlTransport.TLS.Trust
            ) {
                self.testDescription = testDescription
                self.isTrusted = isTrusted
                self.trust = trust
            }
        }

        @Test(
            "Configured authorities replace the system's, for servers and for proxies",
            arguments: [
                Row("the system's", isTrusted: true) { _ in .system },
                Row("another one in a file", isTrusted: false) { .authorities(.file($0.file("other.pem"))) },
                Row("another one as bytes", isTrusted: false) { .authorities(.bytes(try $0.bytes("other.pem"))) },
                Row("no one as bytes", isTrusted: false) { _ in .authorities(.bytes(Data("none".utf8))) },
                Row("its own in a file", isTrusted: true) { .authorities(.file($0.file("authority.pem"))) },
                Row("its own as bytes", isTrusted: true) { .authorities(.bytes(try $0.bytes("authority.pem"))) },
            ],
            Peer.allCases
        )
        func trusts(_ row: Row, _ peer: Peer) async throws {
            let server = try TLSServer.shared.get()
            var url = try server.url(.good, "where")
            let configuration = try CurlTransport.Configuration.with {
                $0.tls.trust = try row.trust(server)
                guard peer == .proxy else { return }
                $0.proxy = .url(url)
                url = try #require(URL(string: "http://origin.example/where"))
            }
            // A handle needs libcurl, which might not be loaded yet.
            try #require(CurlLibrary.failure == nil)
            // The folder with the server's authority replaces the system's folder, whose path is built into libcurl.
            let handle = try #require(CurlHandle(.with { _ in }))
            for option in [WAYBILL_CURL_CAINFO, WAYBILL_CURL_PROXY_CAINFO] {
                #expect(waybill_curl_set_text(handle.easy, option, server.file("other.pem")) == 0)
            }
            for option in [WAYBILL_CURL_CAPATH, WAYBILL_CURL_PROXY_CAPATH] {
                #expect(waybill_curl_set_text(handle.easy, option, server.file("authorities")) == 0)
            }
            CurlSecurity.apply(configuration, to: handle.easy)
            let session = try CurlSession(configuration)
            for loop in session.loops { loop.makeHandle = { _ in handle } }
            let transfer = CurlTransfer(try CurlRequest(HTTPRequest(method: .get, url: url)), in: session)
            session.start(transfer)
            if row.isTrusted {
                #expect(String(decoding: try await transfer.head(), as: UTF8.self).contains(" 200"))
                transfer.abandon()
            } else {
                let error = await #expect(throws: TransportError.self) { try await transfer.head() }
                #expect(error?.kind == .secureConnectionFailed, "\(String(describing: error))")
                // Authorities without a certificate fail before the server's certificate is checked.
                #expect(
                    error?.message.contains("tls.trust") == row.testDescription.hasPrefix("another"),
                    "\(String(describing: error))"
                )
            }
        }
    }
#endif
