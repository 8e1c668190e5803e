import WaybillHTTP
import WaybillSystem

/// The cause of a transport failure, including the underlying library's text.
package struct TransportCause {
    /// The host, with its port if the URL has one.
    package let host: String

    /// The name of the library.
    package let library: String

    /// The library's error text, which may repeat the host.
    package let text: String

    /// The instruction for trusting an authority: `set tls.trust of CurlTransport.Configuration`.
    private let trustAdvice: String

    /// Whether the URL starts with `http://`, although the server may expect TLS.
    private let isPlain: Bool

    package init(host: String, library: String, text: String, trustAdvice: String, isPlain: Bool = false) {
        self.host = host
        self.library = library
        self.text = text
        self.trustAdvice = trustAdvice
        self.isPlain = isPlain
    }

    /// Returns the message of an error, which is shown after the description of its kind.
    ///
    /// - Parameters:
    ///   - kind: the kind of the error.
    ///   - phase: the phase of the request; nil if unknown.
    /// - Returns: the description of the cause.
    package func message(_ kind: TransportError.Kind, while phase: TransportError.Phase? = nil) -> String {
        let during = phase.map { ", while \($0.rawValue)" } ?? ""
        let cause =
            switch kind {
            case .cannotResolveHost: "\(host) has no address"
            case .cannotConnect: "\(host) cannot be reached"
            case .secureConnectionFailed where isResponseWithoutTLS:
                "\(host) does not speak TLS; if it supports only plain HTTP, use an http:// URL"
            case .secureConnectionFailed where isRejectedCertificate:
                "\(host) requires a client certificate, or rejected the one it received"
            case .secureConnectionFailed where isUntrustedCertificate:
                "the certificate of \(host) is not trusted; to trust its authority, \(trustAdvice)"
            case .secureConnectionFailed: "TLS with \(host) failed"
            case .timedOut: "no connection to \(host) in time\(during)"
            // A TLS server answers plain HTTP with an alert, which is not HTTP, or closes the connection.
            case .connectionLost where isPlain && phase == .waiting, .invalidResponse where isPlain && lacksStatusLine:
                "\(kind == .connectionLost ? "to" : "from") \(host)\(during); if it expects TLS, use an"
                    + " https:// URL"
            case .connectionLost: "to \(host)\(during)"
            case .invalidResponse, .headTooLarge, .bodyTooLarge: "from \(host)\(during)"
            default: "\(host)\(during)"
            }
        return detail.isEmpty ? cause : "\(cause) (\(library): \(detail))"
    }

    /// The library's text without the host's address; a proxy's address is kept.
    package var detail: String {
        if let match = text.firstMatch(of: /^Failed to connect to (\S+) port (\d+).*: (.+)$/) {
            let (_, name, port, cause) = match.output
            let isHost = [name, "\(name):\(port)", "[\(name)]", "[\(name)]:\(port)"].contains { $0 == host }
            return isHost ? String(cause) : text
        }
        if text.hasPrefix("Could not resolve host: ") { return "Could not resolve host" }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// Whether the server ended the handshake with an alert (RFC 8446, section 6.2).
    ///
    /// In TLS 1.3, the client has already finished its side of the handshake, so the alert arrives while it waits for
    /// the response. The last text is from GnuTLS, which does not name the alert.
    package var isHandshakeAlert: Bool {
        isRejectedCertificate
            || [
                "alert access denied", "alert handshake failure", "alert decrypt error", "alert insufficient security",
                "TLS fatal alert has been received",
            ].contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }

    /// Whether an alert concerns the client's certificate or its absence.
    private var isRejectedCertificate: Bool {
        [
            "alert certificate required", "alert bad certificate", "alert unsupported certificate",
            "alert certificate revoked", "alert certificate expired", "alert certificate unknown", "alert unknown ca",
        ].contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }

    /// Whether no trusted authority has signed the server's certificate.
    ///
    /// The texts are from OpenSSL, GnuTLS and Secure Transport.
    private var isUntrustedCertificate: Bool {
        [
            "self-signed certificate", "self signed certificate", "unable to get local issuer certificate",
            "unable to get issuer certificate", "unable to verify the first certificate",
            "server certificate verification failed", "server verification failed", "certificate is invalid",
            "certificate for this server is invalid",
        ].contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }

    /// Whether the received bytes do not start with a status line, according to the text of a current or older libcurl.
    private var lacksStatusLine: Bool {
        ["HTTP/0.9", "Unsupported protocol", "unsupported URL"]
            .contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }

    /// Whether the received bytes are not TLS, usually because they are plain HTTP.
    ///
    /// The third text is from GnuTLS, the others from different versions of OpenSSL.
    private var isResponseWithoutTLS: Bool {
        ["wrong version number", "packet length too long", "unexpected TLS packet", "unknown protocol"]
            .contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }
}
