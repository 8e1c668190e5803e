import Foundation
import WaybillHTTP
import WaybillTransports

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// The progress of a request, as far as the session knows it.
    enum Progress {
        /// No earlier connection to the origin is known.
        case none
        /// The request may have been sent over an existing connection.
        case mayBeSent
        /// The head of the response has arrived.
        case hasHead
    }

    /// Creates a transport error from an error of a session.
    ///
    /// - Parameters:
    ///   - error: the error of the session.
    ///   - host: the host; the message contains no other part of the URL, because the rest may contain secrets.
    ///   - progress: the progress of the request.
    init(_ error: any Error, host: String, _ progress: Progress) {
        guard let error = error as? URLError else {
            self.init(.other, Self.cause(host, error.localizedDescription).message(.other))
            return
        }
        let text = error.code == .badURL ? "URLSession rejects its URL" : error.localizedDescription
        let kind = Self.kind(of: error.code, text: text, hasHead: progress == .hasHead)
        if kind == .cancelled {
            self.init(.cancelled)
        } else {
            // The user info of the original error contains the whole URL.
            let underlying = URLError(error.code, userInfo: [NSLocalizedDescriptionKey: text])
            self.init(kind, Self.cause(host, text).message(kind), underlying: underlying)
            mayBeSent = progress == .mayBeSent
        }
    }

    private static func cause(_ host: String, _ text: String) -> TransportCause {
        #if canImport(FoundationNetworking)
            let trustAdvice = "add it to the system's"
        #else
            let trustAdvice = "set challengeHandler of URLSessionTransport"
        #endif
        return TransportCause(host: host, library: "URLSession", text: text, trustAdvice: trustAdvice)
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
        /// Returns the kind implied by libcurl's text if `URLSession` on Linux has no code for it; nil if the code is
        /// sufficient.
        private static func curlKind(of code: URLError.Code, text: String, hasHead: Bool) -> Kind? {
            func mentions(_ words: String...) -> Bool {
                words.contains { text.range(of: $0, options: .caseInsensitive) != nil }
            }
            switch code {
            // No byte of a response has arrived.
            case .badServerResponse: return .connectionLost
            // The scheme has been checked, so the cause is a response in another protocol or without an HTTP status.
            case .unsupportedURL where !mentions("protocol \""): return .invalidResponse
            case .unknown where hasHead:
                return mentions("encoding type", "unencoding", "chunked-encoding") ? .invalidResponse : .connectionLost
            case .unknown:
                if mentions("SSL", "TLS", "certificate") { return .secureConnectionFailed }
                if mentions("too large response headers") { return .headTooLarge }
                if mentions("header", "Content-Length", "status line", "weird server reply", "bad argument") {
                    return .invalidResponse
                }
                if mentions("send failure", "recv failure", "connection died", "transfer closed", "when receiving data")
                {
                    return .connectionLost
                }
                return mentions("connect") ? .cannotConnect : .other
            default: return nil
            }
        }
    #endif
}

extension URLError: URLLoadingError {
    /// Returns the error without the secrets of a call, and without the URLs in its user info, which would appear in
    /// its description.
    package func redacted(by secrets: SecretNameSet) -> any Error {
        let texts = userInfo.compactMapValues { ($0 as? String).map { secrets.removed(from: $0) } }
        return URLError(code, userInfo: texts.filter { !$0.key.contains("FailingURL") })
    }
}
