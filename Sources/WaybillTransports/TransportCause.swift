import WaybillHTTP
import WaybillSystem

/// The cause of a transport failure, with the text of the underlying library.
package struct TransportCause {
    /// The host, with its port if the URL has one.
    package let host: String

    /// The name of the library.
    package let library: String

    /// The library's text, which may repeat the host.
    package let text: String

    /// The setting that makes an app trust additional authorities, for the message.
    private let trustSetting: String

    /// Whether the URL starts with `http://`; the cause may then be that the server expects TLS.
    private let isPlain: Bool

    package init(host: String, library: String, text: String, trustSetting: String, isPlain: Bool = false) {
        self.host = host
        self.library = library
        self.text = text
        self.trustSetting = trustSetting
        self.isPlain = isPlain
    }

    /// Returns the message of an error, which follows the description of its kind.
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
                "\(host) does not speak TLS; the URL may have to begin with http:// there"
            case .secureConnectionFailed where isRejectedCertificate:
                "\(host) requires a client certificate, or does not accept the one it was sent"
            case .secureConnectionFailed where isUntrustedCertificate:
                "the certificate of \(host) is not trusted; trust an authority of your own by \(trustSetting)"
            case .secureConnectionFailed: "TLS with \(host) failed"
            case .timedOut: "no connection to \(host) in time\(during)"
            // A TLS server answers plain HTTP with an alert, which is not HTTP, or closes the connection.
            case .connectionLost where isPlain && phase == .waiting, .invalidResponse where isPlain && isWithoutHead:
                "\(kind == .connectionLost ? "to" : "from") \(host)\(during); if it speaks TLS, the URL has to begin"
                    + " with https://"
            case .connectionLost: "to \(host)\(during)"
            case .invalidResponse, .headTooLarge, .bodyTooLarge: "from \(host)\(during)"
            default: "\(host)\(during)"
            }
        return detail.isEmpty ? cause : "\(cause) (\(library): \(detail))"
    }

    /// The library's text without the address of the host; that of a proxy is kept.
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
    /// In TLS 1.3, the client has already finished its side of the handshake, so the alert arrives when the response is
    /// read. The last text is from GnuTLS, which does not name the alert.
    package var isHandshakeAlert: Bool {
        isRejectedCertificate
            || [
                "alert access denied", "alert handshake failure", "alert decrypt error", "alert insufficient security",
                "TLS fatal alert has been received",
            ].contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }

    /// Whether an alert concerns the client's certificate, or its absence.
    private var isRejectedCertificate: Bool {
        [
            "alert certificate required", "alert bad certificate", "alert unsupported certificate",
            "alert certificate revoked", "alert certificate expired", "alert certificate unknown", "alert unknown ca",
        ].contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }

    /// Whether the server's certificate is not signed by a trusted authority.
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
    private var isWithoutHead: Bool {
        ["HTTP/0.9", "Unsupported protocol", "unsupported URL"]
            .contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }

    /// Whether the received bytes are not TLS, usually because they are plain HTTP.
    ///
    /// The third text is from GnuTLS, the others are from different versions of OpenSSL.
    private var isResponseWithoutTLS: Bool {
        ["wrong version number", "packet length too long", "unexpected TLS packet", "unknown protocol"]
            .contains { text.firstRange(ofBytes: $0, ignoringCase: true) != nil }
    }
}
