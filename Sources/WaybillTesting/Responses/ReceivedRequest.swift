import Foundation
import Waybill
import WaybillDescription

/// A request received by a stub or a loopback server.
public struct ReceivedRequest: Sendable {
    /// The method, as sent.
    public let method: HTTPRequest.Method

    /// The absolute URL.
    public let url: URL

    /// The path as sent: percent-encoded, with its leading slash.
    public let path: String

    /// The path template.
    ///
    /// In a stub, this is the template of the call, or the decoded path if the request has no template. On a server,
    /// this is the template of the matching key, or the path without its leading slash if no key matches.
    public let template: String

    /// The percent-decoded value of each placeholder in the matching key, in order; empty if no key matches.
    public let pathValues: [String]

    /// The query as sent: percent-encoded, without the question mark; nil if the URL has no query.
    public let query: String?

    /// The header fields, in arrival order.
    public let headerFields: HTTPFields

    /// The body; empty if the request has none.
    public let body: Data

    /// The request as it arrived on the wire; nil in a stub.
    public let wire: Wire?

    /// The query items, in order, decoded like a form: `+` is a space.
    public var queryItems: [URLQueryItem] {
        FormDocument.items(of: query ?? "").map { URLQueryItem(name: $0.name, value: $0.value) }
    }

    /// Returns the value of the first query item with the given name.
    ///
    /// - Parameter name: the decoded name; case-sensitive.
    /// - Returns: the decoded value; nil if no item has that name, or if the first such item has no value.
    public func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The body as text; invalid UTF-8 is replaced with U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Decodes the body as JSON.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - decoder: the decoder; by default a plain `JSONDecoder`, regardless of the client's coding strategies.
    /// - Returns: the value.
    /// - Throws: the decoder's error.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension ReceivedRequest: CustomStringConvertible, PartlyShown {
    /// The method, URL, header fields and body size in bytes, with secrets redacted.
    public var description: String {
        "\(method) \(Redaction.url(url, secretNames: .usual))\n\(headerFields)\n\(body.count) bytes"
    }

    /// The parts of the request, with secrets redacted and the body reduced to its size.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "method": method, "url": Redaction.url(url, secretNames: .usual), "template": template,
            "headerFields": headerFields,
            "body": "\(body.count) bytes", "connection": wire?.connection as Any,
        ]
    }
}

extension ReceivedRequest {
    /// A request as it arrived on the wire.
    public struct Wire: Sendable, Hashable, PartlyShown {
        /// The number of the connection, counting accepted connections from 1.
        public let connection: Int

        /// The bytes from the request line through the empty line after the header fields, as received.
        public let head: Data

        /// The trailer fields of a chunked body (RFC 9112, section 7.1.2).
        public let trailerFields: HTTPFields

        /// The lines of the head as received, without the empty one: the request line, then one line per field.
        public var lines: [String] {
            String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
        }

        /// The number of the connection and the size of the head, whose bytes are omitted because they can contain
        /// secrets.
        package var shownParts: KeyValuePairs<String, Any> {
            ["connection": connection, "head": "\(head.count) bytes"]
        }

        /// The request line as received, such as `GET /products?q=a HTTP/1.1`.
        public var requestLine: String { lines.first ?? "" }
    }
}

/// A record of received requests, or only of their count.
struct RequestRecord: Sendable {
    private struct State: Sendable {
        var requests: [ReceivedRequest] = []
        var count = 0
    }

    private let state = Monitor(State())
    private let keepsRequests: Bool

    init(keepsRequests: Bool = true) { self.keepsRequests = keepsRequests }

    var requests: [ReceivedRequest] { state.current.requests }

    var count: Int { state.current.count }

    func add(_ request: ReceivedRequest) {
        state.update { state in
            if keepsRequests { state.requests.append(request) }
            state.count += 1
        }
    }

    /// Waits until at least `count` requests have been received, or until the task is cancelled.
    func wait(count: Int) async -> [ReceivedRequest] {
        await state.wait { $0.count >= count }
        return requests
    }
}
