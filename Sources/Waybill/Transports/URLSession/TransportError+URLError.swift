import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// How far a request had come, as far as that can be told of a session.
    enum Progress {
        /// No connection was there before it.
        case none
        /// It may have gone out over a connection that was there before it.
        case mayBeSent
        /// The head of the response was there.
        case hasHead
    }

    /// The error of a session in the terms of a transport.
    ///
    /// - Parameters:
    ///   - error: what the session says.
    ///   - host: whom it is about. It alone is named: the URL that the session's error has may hold secrets.
    ///   - progress: how far the request had come.
    init(_ error: any Error, host: String, _ progress: Progress) {
        guard let error = error as? URLError else {
            self.init(.other, "\(host): \(error.localizedDescription)")
            return
        }
        let text = error.code == .badURL ? "URLSession does not accept its URL" : error.localizedDescription
        let kind = Self.kind(of: error.code, text: text, hasHead: progress == .hasHead)
        if kind == .cancelled {
            self.init(.cancelled)
        } else {
            // The error's own dictionary has the whole URL.
            let underlying = URLError(error.code, userInfo: [NSLocalizedDescriptionKey: text])
            self.init(kind, "\(host): \(text)", underlying: underlying)
            mayBeSent = progress == .mayBeSent
        }
    }

    private static func kind(of code: URLError.Code, text: String, hasHead: Bool) -> Kind {
        #if canImport(FoundationNetworking)
            if let kind = curlKind(of: code, text: text, hasHead: hasHead) { return kind }
        #endif
        switch code {
        case .cancelled, .userCancelledAuthentication: return .cancelled
        case .badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection: return .unsupportedRequest
        case .cannotFindHost, .dnsLookupFailed: return .cannotResolveHost
        case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            return hasHead ? .connectionLost : .cannotConnect
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            return .secureConnectionFailed
        case .networkConnectionLost: return .connectionLost
        case .timedOut: return .timedOut
        case .badServerResponse, .cannotParseResponse, .zeroByteResource, .cannotDecodeRawData,
            .cannotDecodeContentData:
            return .invalidResponse
        case .dataLengthExceedsMaximum: return .bodyTooLarge
        case .httpTooManyRedirects, .redirectToNonExistentLocation: return .tooManyRedirects
        default: return .other
        }
    }

    #if canImport(FoundationNetworking)
        /// The kind of what `URLSession` on Linux has no code of its own for, read from the text of libcurl.
        ///
        /// Nil stands for: the code says it.
        private static func curlKind(of code: URLError.Code, text: String, hasHead: Bool) -> Kind? {
            func says(_ words: String...) -> Bool {
                words.contains { text.range(of: $0, options: .caseInsensitive) != nil }
            }
            switch code {
            // Nothing at all came back.
            case .badServerResponse: return .connectionLost
            // The scheme was known to be right, so it is the answer that is not: another protocol, or no status of
            // HTTP.
            case .unsupportedURL where !says("protocol \""): return .invalidResponse
            case .unknown where hasHead:
                return says("encoding type", "unencoding", "chunked-encoding") ? .invalidResponse : .connectionLost
            case .unknown:
                if says("SSL", "TLS", "certificate") { return .secureConnectionFailed }
                if says("too large response headers") { return .headTooLarge }
                if says("header", "Content-Length", "status line", "weird server reply", "bad argument") {
                    return .invalidResponse
                }
                if says("send failure", "recv failure", "connection died", "transfer closed", "when receiving data") {
                    return .connectionLost
                }
                return says("connect") ? .cannotConnect : .other
            default: return nil
            }
        }
    #endif
}
