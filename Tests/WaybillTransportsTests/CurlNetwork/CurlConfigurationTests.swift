#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillCurl

    @Suite("CurlTransport: invalid configurations", .inTurn)
    struct CurlConfigurationTests {
        struct Row: CustomTestStringConvertible {
            let testDescription: String
            let change: @Sendable (inout CurlTransport.Configuration) throws -> Void

            /// Creates a row from a text that the error message must contain.
            init(_ text: String, _ change: @escaping @Sendable (inout CurlTransport.Configuration) throws -> Void) {
                testDescription = text
                self.change = change
            }
        }

        @Test(
            "Creating CurlTransport with an unusable configuration throws an error that names the problem",
            arguments: [
                Row("/nowhere/authority.pem") { $0.tls.trust = .authorities(.file("/nowhere/authority.pem")) },
                Row("/nowhere/client.key") {
                    $0.tls.clientCertificate = CurlTransport.TLS.ClientCertificate(
                        certificate: .file("/etc/passwd"),
                        privateKey: .file("/nowhere/client.key")
                    )
                },
                Row("\"sha256//abc\"") { $0.tls.pinnedPublicKeys = ["sha256//abc"] },
                Row("\"c2hvcnQ=\"") { $0.tls.pinnedPublicKeys = ["c2hvcnQ="] },
                Row("http, https, socks4, socks4a, socks5, socks5h") {
                    $0.proxy = .url(try #require(URL(string: "ftp://user:s3cret@proxy.example")))
                },
                Row("must have a host") { $0.proxy = .url(try #require(URL(string: "http:///path"))) },
            ]
        )
        func rejects(_ row: Row) throws {
            let configuration = try CurlTransport.Configuration.with(row.change)
            let error = #expect(throws: TransportError.self) { try CurlTransport(configuration) }
            #expect(error?.kind == .unavailable)
            #expect(error?.message.contains(row.testDescription) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("s3cret") == false)
        }
    }
#endif
