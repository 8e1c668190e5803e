import CallSupport
import Testing

@testable import Waybill
@testable import WaybillTransports

@Suite("Messages of transport failures")
struct TransportCauseTests {
    struct Row: CustomTestStringConvertible {
        let kind: TransportError.Kind
        var phase: TransportError.Phase?
        var host = "shop.example"
        let text: String
        var isPlain = false
        let message: String

        var testDescription: String { text }
    }

    @Test("A transport error's message ends with the library's text, without the host's address", arguments: rows)
    func message(_ row: Row) {
        let cause = TransportCause(
            host: row.host,
            library: "libcurl",
            text: row.text,
            trustAdvice: "change the setting",
            isPlain: row.isPlain
        )
        #expect(cause.message(row.kind, while: row.phase) == row.message)
    }

    static let rows = [
        Row(
            kind: .invalidResponse,
            phase: .waiting,
            text: "Received HTTP/0.9 when not allowed",
            isPlain: true,
            message: "from shop.example, while waiting for the response; if it expects TLS, use an"
                + " https:// URL (libcurl: Received HTTP/0.9 when not allowed)"
        ),
        Row(
            kind: .invalidResponse,
            phase: .waiting,
            text: "Received HTTP/0.9 when not allowed",
            message: "from shop.example, while waiting for the response (libcurl: Received HTTP/0.9 when not allowed)"
        ),
        Row(
            kind: .connectionLost,
            phase: .waiting,
            text: "Empty reply from server",
            isPlain: true,
            message: "to shop.example, while waiting for the response; if it expects TLS, use an"
                + " https:// URL (libcurl: Empty reply from server)"
        ),
        Row(
            kind: .connectionLost,
            phase: .receiving,
            text: "Recv failure: Connection reset by peer",
            isPlain: true,
            message: "to shop.example, while receiving the body (libcurl: Recv failure: Connection reset by peer)"
        ),
        Row(
            kind: .cannotConnect,
            host: "127.0.0.1:80",
            text: "Failed to connect to 127.0.0.1 port 80 after 0 ms: Couldn't connect to server",
            message: "127.0.0.1:80 cannot be reached (libcurl: Couldn't connect to server)"
        ),
        Row(
            kind: .cannotConnect,
            host: "[::1]:80",
            text: "Failed to connect to ::1 port 80: Connection refused",
            message: "[::1]:80 cannot be reached (libcurl: Connection refused)"
        ),
        Row(
            kind: .cannotConnect,
            text: "Failed to connect to proxy.example port 3128 after 1 ms: Could not connect to server",
            message:
                "shop.example cannot be reached (libcurl: Failed to connect to proxy.example port 3128 after 1 ms: "
                + "Could not connect to server)"
        ),
        Row(
            kind: .cannotResolveHost,
            text: "Could not resolve host: shop.example",
            message: "shop.example has no address (libcurl: Could not resolve host)"
        ),
        Row(
            kind: .secureConnectionFailed,
            text: "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number",
            message: "shop.example does not speak TLS; if it supports only plain HTTP, use an http:// URL (libcurl: "
                + "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number)"
        ),
        Row(
            kind: .secureConnectionFailed,
            text: "gnutls_handshake() failed: An unexpected TLS packet was received.",
            message: "shop.example does not speak TLS; if it supports only plain HTTP, use an http:// URL (libcurl: "
                + "gnutls_handshake() failed: An unexpected TLS packet was received)"
        ),
        Row(
            kind: .secureConnectionFailed,
            text: "SSL certificate problem: self-signed certificate",
            message: "the certificate of shop.example is not trusted; to trust its authority, change the setting "
                + "(libcurl: SSL certificate problem: self-signed certificate)"
        ),
        Row(
            kind: .secureConnectionFailed,
            text: "server certificate verification failed. CAfile: none CRLfile: none",
            message: "the certificate of shop.example is not trusted; to trust its authority, change the setting "
                + "(libcurl: server certificate verification failed. CAfile: none CRLfile: none)"
        ),
        Row(
            kind: .secureConnectionFailed,
            text: "SSL certificate problem: certificate has expired",
            message: "TLS with shop.example failed (libcurl: SSL certificate problem: certificate has expired)"
        ),
        Row(
            kind: .timedOut,
            phase: .connecting,
            text: "Failed to connect to shop.example port 443 after 300 ms: Timeout was reached",
            message: "no connection to shop.example in time, while connecting (libcurl: Timeout was reached)"
        ),
        Row(
            kind: .connectionLost,
            phase: .receiving,
            text: "Recv failure: Connection reset by peer",
            message: "to shop.example, while receiving the body (libcurl: Recv failure: Connection reset by peer)"
        ),
        Row(kind: .invalidResponse, text: "", message: "from shop.example"),
        Row(
            kind: .other,
            phase: .sending,
            text: "Odd",
            message: "shop.example, while sending the request (libcurl: Odd)"
        ),
    ]
}
