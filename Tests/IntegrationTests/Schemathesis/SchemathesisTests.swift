#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillDescription
    import WaybillTesting

    @Suite("Mock server called by schemathesis", .inTurn, .safetyNet)
    struct SchemathesisTests {
        private static let program = ProcessInfo.processInfo.environment["WAYBILL_SCHEMATHESIS"]

        // Omitted checks fail by design: the mock server accepts members and parameters that the document does not list
        // (negative_data_rejection), has only the seeded ids (positive_data_acceptance), does not check credentials
        // (ignored_auth), and custom endpoints respond the same after a deletion (use_after_free).
        private static let checks = [
            "not_a_server_error", "status_code_conformance", "content_type_conformance",
            "response_headers_conformance", "response_schema_conformance", "unsupported_method",
            "allow_header_conformance", "ensure_resource_availability",
        ]

        @Test(
            "Mock server responses to requests generated from its OpenAPI document conform to the document",
            .enabled(if: program != nil, "WAYBILL_SCHEMATHESIS names no program")
        )
        func mockServer() async throws {
            let program = URL(filePath: try #require(Self.program))
            let server = try MockServer(LibraryAPI(try #require(URL(string: "https://library.example")))) {
                Seeds([LibraryAPI.Book.dune, .walden])
                Seeds([LibraryAPI.Member.ada])
            }
            defer { server.stop() }
            let folder = FileManager.default.temporaryDirectory.appending(path: "schemathesis-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let document = folder.appending(path: "library.json")
            try LibraryAPI(server.url).openAPI(title: "Library", version: "1").write(to: document)

            let result = try await Process.run(
                program,
                [
                    "run", document.path, "--url", server.url.absoluteString, "--checks",
                    Self.checks.joined(separator: ","), "--generation-deterministic", "--max-examples", "20",
                    "--request-timeout", "10", "--continue-on-failure", "--warnings", "off", "--no-color",
                ],
                in: folder
            )
            #expect(result.status == 0, "\(result.output)")
            // A program that finds no operation reports no error either.
            let called = Set(server.requests.map { "\($0.method) \($0.path.split(separator: "/").first ?? "")" })
            let expected = ["GET books", "PUT members", "PATCH profile", "POST loans", "POST covers", "DELETE books"]
            for request in expected { #expect(called.contains(request), "\(called)") }
        }
    }
#endif
