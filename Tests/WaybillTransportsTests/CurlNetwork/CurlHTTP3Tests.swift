#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillCurl

    /// Tests against a third-party HTTP/3 server, with a libcurl that supports HTTP/3; see `.ci/run`.
    @Suite(
        "CurlTransport: HTTP/3",
        .enabled(
            if: ProcessInfo.processInfo.environment["WAYBILL_HTTP3_URL"] != nil,
            "it needs a libcurl with HTTP/3, and a server at WAYBILL_HTTP3_URL whose authority is WAYBILL_HTTP3_AUTHORITY"
        ),
        .inTurn,
        .safetyNet
    )
    struct CurlHTTP3Tests {
        private let environment = ProcessInfo.processInfo.environment

        private func transport() throws -> CurlTransport {
            let authority = try #require(environment["WAYBILL_HTTP3_AUTHORITY"])
            return try CurlTransport(
                .with {
                    $0.versions.overTLS = .http3
                    $0.tls.trust = .authorities(.file(authority))
                }
            )
        }

        private func url(_ path: String) throws -> URL {
            try #require(URL(string: environment["WAYBILL_HTTP3_URL"] ?? "")).appending(path: path)
        }

        @Test("CurlTransport makes concurrent calls over HTTP/3, and the metrics contain the version")
        func speaks() async throws {
            let versions = Locked<Set<String>>([])
            let observer = VersionObserver(versions: versions)
            let client = Client(try url(""), transport: try transport()) { Observe(observer) }
            // The first connection can use HTTP/2, which libcurl tries at the same time.
            for _ in 0..<20 {
                let text = try await client.get("version", as: String.self)
                if text == "3" { break }
            }
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<30 { group.addTask { try await client.get("version", as: String.self) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts.isSubset(of: ["2", "3"]))
            #expect(texts.contains("3"))
            #expect(versions.withLock { $0 }.contains("HTTP/3"))
        }

        @Test("An HTTP/3 server echoes a large body")
        func bodies() async throws {
            let client = Client(try url(""), transport: try transport())
            let bytes = Data((0..<500_000).map { UInt8($0 % 251) })
            let endpoint: Endpoint<Data> = client.endpoint {
                POST("echo")
                Body(bytes, contentType: "application/octet-stream")
                Header(.accept, "*/*")
            }
            #expect(try await endpoint.send() == bytes)
        }
    }

    private struct VersionObserver: CallObserver {
        let versions: Locked<Set<String>>

        func observe(_ event: CallEvent) {
            guard case .body = event.kind, let version = event.metrics?.protocolVersion else { return }
            versions.withLock { _ = $0.insert(version) }
        }
    }
#endif
