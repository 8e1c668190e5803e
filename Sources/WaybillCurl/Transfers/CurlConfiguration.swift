#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransport {
        /// The configuration of a transport.
        ///
        /// ```swift
        /// var configuration = CurlTransport.Configuration()
        /// configuration.timeouts.connect = .seconds(3)
        /// configuration.limits.bodyBytes = 10_000_000
        /// ```
        public struct Configuration: Sendable {
            /// The time limits.
            public var timeouts = Timeouts()

            /// The size limits.
            public var limits = Limits()

            /// The settings for connections.
            public var connections = Connections()

            /// The number of event loops that share the transfers, each with a thread; 2 by default.
            ///
            /// The number is at least 1, and at most the number of processors. It is also limited to the maximum number
            /// of idle connections, unless that is 0. The limits on connections apply to all loops together.
            public var loops = 2

            /// The HTTP versions.
            public var versions = Versions()

            /// The trusted authorities and the client certificate.
            public var tls = TLS()

            /// The proxy for requests.
            public var proxy = Proxy.environment

            /// Creates the configuration of `Transport.default`.
            public init() {}
        }

        /// The HTTP versions used by a transport.
        ///
        /// ```swift
        /// var configuration = CurlTransport.Configuration()
        /// configuration.versions.withoutTLS = .http2      // between services of a cluster, by prior knowledge
        /// configuration.versions.overTLS = .http3
        /// ```
        ///
        /// The version of a response is in its `TransferOptions.Report.Metrics`.
        public struct Versions: Sendable, Hashable {
            /// An HTTP version.
            public enum Version: String, Sendable, Hashable, CaseIterable {
                /// HTTP/1.1 (RFC 9112).
                case http1 = "HTTP/1.1"
                /// HTTP/2 (RFC 9113).
                case http2 = "HTTP/2"
                /// HTTP/3 (RFC 9114), which requires libcurl 7.88 or later, built with HTTP/3 support.
                case http3 = "HTTP/3"
            }

            /// The highest version over TLS; a lower one is used if the server does not support it.
            ///
            /// With ``Version/http3``, libcurl tries HTTP/3 and HTTP/2 at the same time.
            public var overTLS = Version.http2

            /// The version without TLS.
            ///
            /// ``Version/http2`` is used with prior knowledge (RFC 9113, section 3.3): there is no fallback if the
            /// server does not support it, and no proxy is used. ``Version/http3`` requires TLS, so creating a
            /// transport with it fails.
            public var withoutTLS = Version.http1

            /// Creates the default versions.
            public init() {}
        }

        /// Time limits of a transport; nil means no limit, and the shortest limit is one millisecond.
        ///
        /// If a call declares a longer time limit, that limit replaces ``firstByte`` and ``idle``.
        ///
        /// The error's `TransportError.Timeout` identifies the exceeded limit. The time while a transfer is paused, or
        /// waits for the caller to read or produce bytes, counts only toward ``total``.
        public struct Timeouts: Sendable, Hashable {
            /// The limit for opening a connection, including name resolution and TLS.
            public var connect: Duration? = .seconds(30)

            /// The limit from the last byte of the request to the first byte of the response.
            public var firstByte: Duration? = .seconds(60)

            /// The limit between two pieces of the request or the response body.
            public var idle: Duration? = .seconds(60)

            /// The limit from the start of the transfer to the last byte; only this one includes time in the queue.
            public var total: Duration?

            /// Creates the default limits.
            public init() {}
        }

        /// Size limits of responses.
        ///
        /// A transfer that exceeds a limit fails with `TransportError.Kind.headTooLarge` or
        /// `TransportError.Kind.bodyTooLarge`.
        public struct Limits: Sendable, Hashable {
            /// The maximum total size of header fields, including those of interim responses, and trailer fields, in
            /// bytes.
            ///
            /// libcurl itself accepts 100 KiB per field and, since version 8.6, 300 KiB in total.
            public var headBytes = 256 * 1024

            /// The maximum size of a body before content decoding, in bytes; `Int.max` means no limit.
            public var bodyBytes = Int.max

            /// The maximum size of a body after content decoding, in bytes; `Int.max` means no limit.
            ///
            /// Bodies are decoded as they are read, so a stream or a download can exceed the available memory.
            /// `BodyLimits` limits the decoded size of bodies held in memory.
            public var decodedBodyBytes = Int.max

            /// The number of unread bytes at which the transport stops reading from the connection.
            ///
            /// Over HTTP/2, libcurl may also buffer one flow-control window for each response: 32 MB in version 7.88.
            public var bufferedBytes = 512 * 1024

            /// Creates the default limits.
            public init() {}
        }

        /// The connection settings of a transport.
        public struct Connections: Sendable, Hashable {
            /// The maximum number of requests in flight to one origin; further requests wait in order.
            ///
            /// Over HTTP/1.1, each request has a separate connection; over HTTP/2, requests share one. The limit
            /// applies to all loops together.
            public var perOrigin = 128

            /// The maximum number of idle connections; 0 for none.
            ///
            /// The connections are distributed equally among the loops.
            public var idle = 256

            /// The time for which idle connections stay open.
            ///
            /// If all connections of a loop have been idle for this time, they are closed. While others are in use, the
            /// time is rounded down to whole seconds, and an expired connection is closed when the loop's next call
            /// starts: during a single long transfer, it stays open until the transfer ends. An HTTP/1.1 connection is
            /// closed at once if its server closes it or sends bytes without a request.
            public var idleLifetime: Duration = .seconds(60)

            /// Creates the default settings.
            public init() {}
        }

        /// The proxy for requests.
        public enum Proxy: Sendable, Hashable {
            /// The proxy from the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as
            /// interpreted by curl.
            case environment
            /// No proxy.
            case none
            /// A proxy for all hosts except those in a list.
            ///
            /// The scheme is `http://`, `https://`, `socks4://`, `socks4a://`, `socks5://` or `socks5h://`; with
            /// `socks4a://` and `socks5h://`, the proxy resolves the host. The URL can contain a user and a password.
            /// Exceptions are host names, suffixes of names, addresses or `*`.
            case url(URL, except: [String] = [])
        }
    }

    extension CurlTransport.Proxy: CustomStringConvertible, CustomDebugStringConvertible, PartlyShown {
        /// The proxy's URL without its user and password, and the exceptions.
        public var description: String {
            switch self {
            case .environment: "environment"
            case .none: "none"
            case .url(let url, let exceptions):
                "\(Redaction.url(url, secretNames: .usual))"
                    + (exceptions.isEmpty ? "" : " except \(exceptions.joined(separator: ", "))")
            }
        }

        /// The description.
        public var debugDescription: String { description }

        /// The description alone.
        package var shownParts: KeyValuePairs<String, Any> { ["proxy": description] }
    }
#endif
