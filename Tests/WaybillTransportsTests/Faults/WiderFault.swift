#if os(Linux)
    /// A fault that involves more than one call and has separate suites.
    struct WiderFault {
        let name: String
        let outcome: String
        /// The suites that test it.
        var suites: [Any.Type] = []
        /// The names of the core's suites that test it.
        var coreSuites: [String] = []

        /// The fault's row on the page.
        var row: String {
            "| \(name) | \(outcome) | \((suites.map { "\($0)" } + coreSuites).map { "`\($0)`" }.joined(separator: ", ")) |"
        }

        /// All wider faults, in the order of the page.
        static let all = [
            WiderFault(
                name: "A task that is cancelled at any time",
                outcome: "`cancelled`, and the connection is closed",
                suites: [TransportCancellationTests.self, TransportAbandonmentTests.self]
            ),
            WiderFault(
                name: "A cancellation that races with the response, a time limit or a redirect",
                outcome: "each call ends exactly once",
                suites: [TransportRaceTests.self]
            ),
            WiderFault(
                name: "A transport that is released while calls are in flight",
                outcome: "the calls complete, then the connections are closed",
                suites: [TransportLifetimeTests.self]
            ),
            WiderFault(
                name: "Bytes that arrive over a persistent connection before the next request, "
                    + "such as a second response or a 408",
                outcome: "the connection is closed, and the request uses another one; "
                    + "over URLSession on Linux, they are taken for the next response",
                suites: [TransportLateBytesTests.self]
            ),
            WiderFault(
                name: "A status line of HTTP/2 over a connection of HTTP/1.1",
                outcome: "over libcurl without TLS, `invalidResponse`, and no request shares a connection; "
                    + "over URLSession on Linux, later requests share one, and can get each other's responses",
                suites: [TransportVersionMismatchTests.self]
            ),
            WiderFault(
                name: "A persistent connection that has just closed, 2,000 times with each method",
                outcome: "over libcurl, no idempotent request fails, and no `POST` reaches the server twice",
                suites: [TransportStaleConnectionTests.self]
            ),
            WiderFault(
                name: "A persistent connection that is reset within the body of a request",
                outcome: "the body is sent again from its first byte, or not at all: `connectionLost`; "
                    + "over URLSession on Linux, a body of more than 16 KiB gets a connection of its own",
                suites: [TransportBrokenUploadTests.self]
            ),
            WiderFault(
                name: "A complete response before the end of an upload",
                outcome: "over libcurl, that response",
                suites: [TransportEarlyResponseTests.self]
            ),
            WiderFault(
                name: "4,000 responses with changed, added and removed bytes",
                outcome: "over libcurl, a response or an error, and the next call gets its own response",
                suites: [CurlMutationTests.self]
            ),
            WiderFault(
                name: "A response before the end of an upload over TLS, and a reset",
                outcome: "over libcurl, that response; over HTTP/1.1 without a length, a reset while bytes are sent "
                    + "can discard it: `connectionLost` (43 of 300; none with a length or over HTTP/2)",
                suites: [CurlEarlyResponseTests.self]
            ),
            WiderFault(
                name: "HTTP/2: a stream with `REFUSED_STREAM`",
                outcome: "over libcurl, the request is sent again, whatever its method, if its body can be read again; "
                    + "otherwise, and after several times, `connectionLost`, after which `Retry` may repeat any method",
                suites: [FrameTests.self]
            ),
            WiderFault(
                name: "HTTP/2: a GOAWAY with any code, after a request beyond its last stream",
                outcome: "over libcurl, as with `REFUSED_STREAM`, on a new connection with a body of at most 64 KiB; "
                    + "also tested with nginx, which ends connections this way",
                suites: [FrameTests.self]
            ),
            WiderFault(
                name: "HTTP/2: another reset of a stream, or the end of the connection, after a `POST`",
                outcome: "over libcurl, `connectionLost`, and the request is not sent again",
                suites: [FrameTests.self]
            ),
            WiderFault(
                name: "HTTP/2: a body without a length, and a reset with `NO_ERROR` before its end",
                outcome: "a known limitation: libcurl 7.88 and 8.23 report the body as complete, "
                    + "and their verbose information does not show the reset",
                suites: [FrameTests.self]
            ),
            WiderFault(
                name: "1,000 calls at once",
                outcome: "each call gets its own response",
                suites: [TransportLoadTests.self]
            ),
            WiderFault(
                name: "A request body that fails, or that does not have its declared length",
                outcome: "its error, or `unsupportedRequest`; the server gets no complete request",
                suites: [TransportUploadTests.self]
            ),
            WiderFault(
                name: "An unpinned key, a missing or wrong client certificate",
                outcome: "`secureConnectionFailed`, also if it comes after the handshake, or the server's response",
                suites: [CurlTLSTests.self, CurlClientCertificateTests.self]
            ),
            WiderFault(
                name: "A compressed body in any coding that is truncated or damaged at any byte, or too large",
                outcome: "`connectionLost`, `invalidResponse`, `bodyTooLarge`",
                suites: [ContentDecoderDamageTests.self, ContentDecoderLimitTests.self, ContentDecoderFuzzTests.self]
            ),
            WiderFault(
                name: "A redirect from https to http, to a URL with a password, or to a URL that is not HTTP",
                outcome: "`redirectRejected`, above every transport",
                coreSuites: ["RedirectRejectionTests"]
            ),
        ]
    }
#endif
