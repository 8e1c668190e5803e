#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransport {
        /// The settings of a transport.
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

            /// The use of connections.
            public var connections = Connections()

            /// The number of event loops, each with a thread, over which transfers are spread; 2 by default.
            ///
            /// Less than 1 counts as 1, and more than the machine has processors, or than idle connections are allowed,
            /// as their number. The limits on connections hold for all loops together.
            public var loops = 2

            /// The versions of HTTP.
            public var versions = Versions()

            /// The trusted authorities, and the certificate of the client.
            public var tls = TLS()

            /// The proxy for requests.
            public var proxy = Proxy.environment

            /// Creates the configuration of `Transport.default`.
            public init() {}
        }

        /// The versions of HTTP that a transport speaks.
        ///
        /// ```swift
        /// var configuration = CurlTransport.Configuration()
        /// configuration.versions.withoutTLS = .http2      // services of one cluster, by prior knowledge
        /// configuration.versions.overTLS = .http3
        /// ```
        ///
        /// The version of a response is in its `TransferReport.Metrics`.
        public struct Versions: Sendable, Hashable {
            /// A version of HTTP.
            public enum Version: String, Sendable, Hashable, CaseIterable {
                /// HTTP/1.1 (RFC 9112).
                case http1 = "HTTP/1.1"
                /// HTTP/2 (RFC 9113).
                case http2 = "HTTP/2"
                /// HTTP/3 (RFC 9114), for which libcurl has to be built with it, and be 7.88 or later.
                case http3 = "HTTP/3"
            }

            /// The highest version over TLS: a server that does not speak it gets a lower one.
            ///
            /// With ``Version/http3``, libcurl tries HTTP/3 and HTTP/2 at the same time.
            public var overTLS = Version.http2

            /// The version without TLS.
            ///
            /// ``Version/http2`` is spoken from the first byte (prior knowledge: RFC 9113, section 3.3). A server that
            /// does not speak it is a `TransportError`; nothing else is tried, and no proxy is used. ``Version/http3``
            /// needs TLS, so the transport cannot be created with it.
            public var withoutTLS = Version.http1

            /// Creates the default versions.
            public init() {}
        }

        /// Time limits of a transport; nil stands for no limit, and less than a millisecond counts as one.
        ///
        /// ``firstByte`` and ``idle`` yield to the time limit that a call declares, if it is longer.
        ///
        /// Each has its own `TransportError.Timeout` in the error. The time in which a transfer is paused, or waits for
        /// the caller to read or to produce bytes, counts in ``total`` alone.
        public struct Timeouts: Sendable, Hashable {
            /// The limit until a connection is open: resolving the host, connecting and TLS.
            public var connect: Duration? = .seconds(30)

            /// The limit from the request's last byte to the first byte of the response.
            public var firstByte: Duration? = .seconds(60)

            /// The limit between two pieces of the request or of the response's body.
            public var idle: Duration? = .seconds(60)

            /// The limit from the start to the last byte; the only one that counts the time in the queue.
            public var total: Duration?

            /// Creates the default limits.
            public init() {}
        }

        /// Size limits of responses.
        ///
        /// A transfer that exceeds a limit fails with `TransportError.Kind.headTooLarge` or
        /// `TransportError.Kind.bodyTooLarge`.
        public struct Limits: Sendable, Hashable {
            /// The bytes of all header fields, including those of interim responses, and of trailer fields.
            ///
            /// libcurl itself accepts 100 KiB per field, and since version 8.6 300 KiB in total.
            public var headBytes = 256 * 1024

            /// The bytes of a body on the connection; `Int.max` stands for no limit.
            public var bodyBytes = Int.max

            /// The bytes of a body after its content coding is decoded; `Int.max` stands for no limit.
            ///
            /// Bodies are decoded while they are read, so a stream or a download can exceed memory. `BodyLimits` limits
            /// the decoded size of bodies held in memory.
            public var decodedBodyBytes = Int.max

            /// The bytes that are buffered for a caller who does not read them, before the server is held back.
            ///
            /// Over HTTP/2 libcurl may buffer as many more as its flow-control window for one response: 32 MB in
            /// version 7.88.
            public var bufferedBytes = 512 * 1024

            /// Creates the default limits.
            public init() {}
        }

        /// The use of connections by a transport.
        public struct Connections: Sendable, Hashable {
            /// The maximum number of requests in flight to one origin; further ones wait for their turn, in order.
            ///
            /// Over HTTP/1.1 each has a connection of its own, over HTTP/2 they share one. It holds for all loops
            /// together.
            public var perOrigin = 128

            /// The maximum number of idle connections; 0 for none.
            ///
            /// Each loop has an equal share of it.
            public var idle = 256

            /// The time for which idle connections are kept, in whole seconds while others are in use.
            ///
            /// They are closed when all of their loop were idle for that time, otherwise when its next call begins:
            /// beside one long transfer and nothing else, they stay until that has ended. A connection over HTTP/1.1 is
            /// closed at once if its server closes it, or sends bytes without a request.
            public var idleLifetime: Duration = .seconds(60)

            /// Creates the default settings.
            public init() {}
        }

        /// The proxy for requests.
        public enum Proxy: Sendable, Hashable {
            /// The proxy of the environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as curl reads
            /// them.
            case environment
            /// No proxy.
            case none
            /// A proxy for all hosts except those of a list: `http://`, `https://`, `socks4://`, `socks4a://`,
            /// `socks5://` or `socks5h://`; with the last one the proxy resolves the host.
            ///
            /// The URL may have a user and a password. Hosts are names, suffixes of names, addresses or `*`.
            case url(URL, except: [String] = [])
        }
    }

    extension CurlTransport.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The proxy's scheme, host and port, without its user and password.
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

        /// A mirror with the description alone.
        public var customMirror: Mirror { Mirror(self, children: ["proxy": description], displayStyle: .struct) }
    }
#endif
