import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import WaybillTesting

    @testable import Waybill
    @testable import WaybillCurl
    @testable import WaybillURLSession

    @Suite("CurlTransport without libcurl", .inTurn)
    struct CurlFallbackTests {
        @Test(
            "An unusable libcurl is reported with the reason",
            arguments: [("libnothing.so.4", "libnothing.so.4"), ("libc.so.6", "not libcurl")]
        )
        func tellsReason(_ name: String, _ reason: String) {
            #expect(CurlLibrary.load(name)?.contains(reason) == true)
        }

        @Test("The installed libcurl is usable")
        func loads() {
            #expect(CurlLibrary.load("libcurl.so.4") == nil)
            #expect(CurlLibrary.failure == nil)
            #expect(CurlLibrary.versionNumber >= 0x074200)
        }

        @Test("The error without libcurl names the package to install")
        func namesPackage() throws {
            let reason = try #require(CurlLibrary.load("libnothing.so.4"))
            let error = CurlLibrary.unavailable(reason)
            #expect(error.kind == .unavailable)
            #expect(error.message.hasPrefix(reason))
            #expect(error.message.contains("libcurl4 on Debian and Ubuntu"))
        }

        @Test("The default transport loads libcurl on first use and sends with it")
        func sends() async throws {
            try await LoopbackServer.run(["GET a": .text("fine")]) { server async throws in
                let transport: any Transport = .default
                #expect(try await transport.get(server.url.appending(path: "a")).text == "fine")
            }
        }
    }
#endif
