#if os(Linux)
    import Foundation

    extension CurlTransport {
        /// What can be set on a transport.
        ///
        /// ```swift
        /// var configuration = CurlTransport.Configuration()
        /// configuration.timeouts.connect = .seconds(3)
        /// configuration.limits.bodyBytes = 10_000_000
        /// ```
        public struct Configuration: Sendable {
            /// How long the transport waits.
            public var timeouts = Timeouts()

            /// How much it accepts.
            public var limits = Limits()

            /// How connections are used.
            public var connections = Connections()

            /// Whom it trusts, and how it shows who it is.
            public var tls = TLS()

            /// The proxy through which requests go.
            public var proxy = Proxy.environment

            /// Creates the configuration of ``Transport/default``.
            public init() {}
        }

        /// How long a transport waits; nil stands for any time, and less than a millisecond for one.
        ///
        /// Each has a ``TransportTimeout`` of its own in the error. Time in which a transfer is paused, or waits for the
        /// caller to read or to give bytes, counts in ``total`` alone.
        public struct Timeouts: Sendable, Hashable {
            /// Until there is a connection: looking up the host, connecting and TLS.
            public var connect: Duration? = .seconds(30)

            /// From the request's last byte to the first of the response.
            public var firstByte: Duration? = .seconds(60)

            /// Between two pieces of the request or of the response's body.
            public var idle: Duration? = .seconds(60)

            /// From the start to the last byte; it alone counts the time that a request waits for its turn.
            public var total: Duration?

            /// Creates the usual times.
            public init() {}
        }

        /// How much a transport accepts of a response.
        ///
        /// A limit that is exceeded stops the transfer with ``TransportError/Kind/headTooLarge`` or
        /// ``TransportError/Kind/bodyTooLarge``.
        public struct Limits: Sendable, Hashable {
            /// The bytes of all header fields, of interim responses and of trailer fields.
            ///
            /// libcurl itself accepts 100 KiB a field, and from version 8.6 on 300 KiB in all.
            public var headBytes = 256 * 1024

            /// The bytes of a body as it goes over the connection; `Int.max` stands for any number.
            public var bodyBytes = Int.max

            /// The bytes of a body whose content coding was undone.
            public var decodedBodyBytes = 1 << 30

            /// The bytes that are kept for a caller who does not read them, before the server is held back.
            ///
            /// Over HTTP/2 libcurl takes as many more as it lets a server send of one response: 32 MB with version 7.88.
            public var bufferedBytes = 512 * 1024

            /// Creates the usual limits.
            public init() {}
        }

        /// How a transport uses connections.
        public struct Connections: Sendable, Hashable {
            /// How many requests may be on their way to one origin; further ones wait for their turn, in order.
            ///
            /// Over HTTP/1.1 each has a connection of its own, over HTTP/2 they share one.
            public var perOrigin = 128

            /// How many connections are kept open when they are not used; 0 for none.
            public var idle = 256

            /// How long they are kept, in whole seconds as long as others are used.
            ///
            /// They are closed when all were unused for that long, else when the next call begins: beside one long
            /// transfer and nothing else, they stay until that has ended. One over HTTP/1.1 is closed at once if its
            /// server closes it, or sends something that no request has asked for.
            public var idleLifetime: Duration = .seconds(60)

            /// Creates the usual numbers.
            public init() {}
        }

        /// Through which proxy requests go.
        public enum Proxy: Sendable, Hashable {
            /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, in the way of curl.
            case environment
            /// None.
            case none
            /// One for all hosts but those of a list: `http://`, `https://`, `socks4://`, `socks4a://`, `socks5://` or
            /// `socks5h://`, the last of which leaves it to the proxy to look up the host.
            ///
            /// A user and a password may stand in the URL. Hosts are names, suffixes of names, addresses or `*`.
            case url(URL, except: [String] = [])
        }
    }
#endif
