#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillCurl

    @Suite("CurlTransport, configurations that cannot be used", .inTurn)
    struct CurlConfigurationTests {
        struct Row: CustomTestStringConvertible {
            let testDescription: String
            let change: @Sendable (inout CurlTransport.Configuration) throws -> Void

            /// Creates a row from the text that the message names.
            init(_ text: String, _ change: @escaping @Sendable (inout CurlTransport.Configuration) throws -> Void) {
                testDescription = text
                self.change = change
            }
        }

        @Test(
            "An unusable configuration makes the initializer of CurlTransport throw what is wrong",
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
