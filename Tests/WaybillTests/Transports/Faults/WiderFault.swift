#if os(Linux)
    /// A fault that is more than one call and what follows it, so that it has a suite of its own.
    struct WiderFault {
        let name: String
        let outcome: String
        /// The suites in which it is tested.
        let suites: [Any.Type]

        /// The row of the page.
        var row: String {
            "| \(name) | \(outcome) | \(suites.map { "`\($0)`" }.joined(separator: ", ")) |"
        }

        /// All of them, in the order of the page.
        static let all = [
            WiderFault(
                name: "The task is cancelled, at any time",
                outcome: "`cancelled`, and the connection is closed",
                suites: [TransportCancellationTests.self, TransportAbandonmentTests.self]
            ),
            WiderFault(
                name: "Cancelling races with the answer, a time limit or a redirect",
                outcome: "each call ends, once",
                suites: [TransportRaceTests.self]
            ),
            WiderFault(
                name: "The transport is dropped while calls are on their way",
                outcome: "they are completed, then the connections are closed",
                suites: [TransportLifetimeTests.self]
            ),
            WiderFault(
                name: "Bytes that arrive over a kept connection before the next request: a second response, a 408",
                outcome: "the connection is closed, the request goes over another; "
                    + "over URLSession on Linux they are the next response",
                suites: [TransportLateBytesTests.self]
            ),
            WiderFault(
                name: "A kept connection that has just closed, 5,000 times with each method",
                outcome: "no idempotent request fails, no `POST` reaches the server twice, over libcurl",
                suites: [TransportStaleConnectionTests.self]
            ),
            WiderFault(
                name: "A complete response before the end of an upload",
                outcome: "that response, over libcurl",
                suites: [TransportEarlyResponseTests.self]
            ),
            WiderFault(
                name: "12,000 responses with bytes changed, added and left out",
                outcome: "a response or an error, and the next call gets its own response, over libcurl",
                suites: [CurlMutationTests.self]
            ),
            WiderFault(
                name: "1,000 calls at once",
                outcome: "each gets its own answer",
                suites: [TransportLoadTests.self]
            ),
            WiderFault(
                name: "The body of a request fails, or is not as long as it says",
                outcome: "its error, or `unsupportedRequest`; the server gets no whole request",
                suites: [TransportUploadTests.self]
            ),
            WiderFault(
                name: "A key that is not pinned, a client certificate that is missing or wrong",
                outcome: "`secureConnectionFailed`, or what the server answers",
                suites: [CurlTLSTests.self]
            ),
            WiderFault(
                name: "A compressed body that is cut or damaged at any byte, or too large, in any coding",
                outcome: "`connectionLost`, `invalidResponse`, `bodyTooLarge`",
                suites: [ContentDecoderDamageTests.self, ContentDecoderLimitTests.self, ContentDecoderFuzzTests.self]
            ),
            WiderFault(
                name: "A redirect from https to http, to a URL with a password, to what is no URL of HTTP",
                outcome: "`redirectRefused`, above every transport",
                suites: [RedirectRefusalTests.self]
            ),
        ]
    }
#endif
