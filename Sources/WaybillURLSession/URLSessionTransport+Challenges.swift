#if !canImport(FoundationNetworking)
    import Foundation
    import WaybillHTTP
    import WaybillTransports

    extension URLSessionTransport {
        /// A closure that decides on a TLS challenge: whether a server's certificate is trusted, or which client
        /// certificate is sent.
        ///
        /// To pin a certificate, evaluate `challenge.protectionSpace.serverTrust`, compare the first certificate of its
        /// chain with those that the app knows, and return `.useCredential` with `URLCredential(trust:)`.
        ///
        /// The handler is called for `NSURLAuthenticationMethodServerTrust` and
        /// `NSURLAuthenticationMethodClientCertificate` only: a 401 or 407 is a response, which `Authorization`
        /// handles. `.performDefaultHandling` leaves a challenge to the system. `.cancelAuthenticationChallenge` and
        /// `.rejectProtectionSpace` fail the call with `TransportError.Kind.secureConnectionFailed`. The time that the
        /// handler takes counts as silence of the connection.
        public typealias ChallengeHandler =
            @Sendable (URLAuthenticationChallenge) async -> (
                URLSession.AuthChallengeDisposition, URLCredential?
            )

        /// Creates a transport with a handler of TLS challenges.
        ///
        /// - Parameters:
        ///   - configuration: the session's configuration, which is copied; its timeouts are not used.
        ///   - idleTimeout: the maximum silence of the connection; nil stands for no limit.
        ///   - challengeHandler: decides on the server's certificate and chooses the client's.
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
        /// Returns a transport with a `URLSession` of its own and a handler of TLS challenges.
        ///
        /// - Parameters:
        ///   - configuration: the session's configuration, which is copied; its timeouts are not used.
        ///   - idleTimeout: the maximum silence of the connection; nil stands for no limit.
        ///   - challengeHandler: decides on the server's certificate and chooses the client's.
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
