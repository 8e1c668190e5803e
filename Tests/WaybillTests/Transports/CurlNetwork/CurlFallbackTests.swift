#if os(Linux)
    import Foundation
    import Testing

    @testable import Waybill

    @Suite("CurlTransport, where there is no libcurl")
    struct CurlFallbackTests {
        @Test(
            "a library that cannot be used is told with the reason",
            arguments: [("libnothing.so.4", "libnothing.so.4"), ("libc.so.6", "not libcurl")]
        )
        func tellsReason(_ name: String, _ reason: String) {
            #expect(CurlLibrary.load(name)?.contains(reason) == true)
        }

        @Test("the one that is installed can be used")
        func loads() {
            #expect(CurlLibrary.load("libcurl.so.4") == nil)
            #expect(CurlLibrary.failure == nil)
            #expect(CurlLibrary.versionNumber >= 0x074200)
        }

        @Test("the default is then URLSession, of which one line tells")
        func fallsBack() throws {
            let reason = try #require(CurlLibrary.load("libnothing.so.4"))
            var lines: [String] = []
            let chosen = DefaultTransport.choose(
                { () throws(TransportError) in throw TransportError(.unavailable, reason) },
                tell: { lines.append($0) }
            )
            #expect(chosen is URLSessionTransport)
            #expect(lines == ["Waybill: \(reason); URLSession is used in place of libcurl"])
        }

        @Test("the default is libcurl where it is there, and nothing is told")
        func prefers() {
            let chosen = DefaultTransport.choose(
                { () throws(TransportError) in try CurlTransport() },
                tell: { Issue.record("told \($0)") }
            )
            #expect(chosen is CurlTransport)
        }
    }
#endif
