#if !canImport(FoundationNetworking)
    import Foundation
    import WaybillHTTP
    import WaybillTransports

    extension URLSessionTransport {
        /// A closure that handles a TLS challenge: it decides whether to trust a server's certificate, or selects a
        /// client certificate.
        ///
        /// To pin a certificate, evaluate `challenge.protectionSpace.serverTrust`, compare the first certificate of its
        /// chain with those known to the app, and return `.useCredential` with `URLCredential(trust:)`.
        ///
        /// The handler is called only for `NSURLAuthenticationMethodServerTrust` and
        /// `NSURLAuthenticationMethodClientCertificate`: a 401 or 407 arrives as an ordinary response, which
        /// `Authorization` handles. `.performDefaultHandling` leaves a challenge to the system.
        /// `.cancelAuthenticationChallenge` and `.rejectProtectionSpace` fail the call with
        /// `TransportError.Kind.secureConnectionFailed`. The time taken by the handler counts as silence on the
        /// connection.
        public typealias ChallengeHandler =
            @Sendable (URLAuthenticationChallenge) async -> (
                URLSession.AuthChallengeDisposition, URLCredential?
            )

        /// Creates a transport with a handler for TLS challenges.
        ///
        /// - Parameters:
        ///   - configuration: the session's configuration, which is copied; its timeouts are ignored.
        ///   - idleTimeout: the maximum silence on the connection; nil for no limit.
        ///   - challengeHandler: decides whether to trust the server's certificate, and chooses the client's.
        public init(
            configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
            idleTimeout: Duration? = .seconds(60),
            challengeHandler: @escaping ChallengeHandler
        ) {
            self.init(
                configuration: configuration,
                settings: URLSessionSettings(idleTimeout: idleTimeout, challengeHandler: challengeHandler)
            )
        }
    }

    extension Transport where Self == URLSessionTransport {
        /// Returns a transport with a separate `URLSession` and a handler for TLS challenges.
        ///
        /// - Parameters:
        ///   - configuration: the session's configuration, which is copied; its timeouts are ignored.
        ///   - idleTimeout: the maximum silence on the connection; nil for no limit.
        ///   - challengeHandler: decides whether to trust the server's certificate, and chooses the client's.
        /// - Returns: the transport.
        public static func urlSession(
            _ configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
            idleTimeout: Duration? = .seconds(60),
            challengeHandler: @escaping URLSessionTransport.ChallengeHandler
        ) -> URLSessionTransport {
            URLSessionTransport(
                configuration: configuration,
                idleTimeout: idleTimeout,
                challengeHandler: challengeHandler
            )
        }
    }
#endif
