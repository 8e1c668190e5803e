import Foundation
import Waybill
import WaybillDescription

/// A request as a stub or a loopback server received it, for the closures that respond and for tests.
public struct ReceivedRequest: Sendable {
    /// The method, as it was sent.
    public let method: HTTPRequest.Method

    /// The absolute URL.
    public let url: URL

    /// The path as it was sent, percent-encoded, with its leading slash.
    public let path: String

    /// The template: at a stub the request's own, at a server the matching key's; if no key matches, the path without
    /// its leading slash.
    public let template: String

    /// The values of each `{}` of the key that matched, percent-decoded.
    public let pathValues: [String]

    /// The query as it was sent, percent-encoded, without the question mark; nil without a query.
    public let query: String?

    /// The header fields, in the order in which they came.
    public let headerFields: HTTPFields

    /// The body; empty for a request without one.
    public let body: Data

    /// The request on the wire, which only a server knows; nil at a stub.
    public let wire: Wire?

    /// The items of the query, in order, decoded as a form is: `+` is a space.
    public var queryItems: [URLQueryItem] {
        FormDocument.items(of: query ?? "").map { URLQueryItem(name: $0.name, value: $0.value) }
    }

    /// Returns the value of the first query item with a name.
    ///
    /// - Parameter name: the name, decoded; case matters.
    /// - Returns: the value, decoded; nil if no item has the name, or if the item has no value.
    public func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The body as text; bytes that are not UTF-8 are replaced by U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Decodes the body's JSON.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - decoder: the decoder; by default Foundation's with its usual strategies, whatever the client declares.
    /// - Returns: the value.
    /// - Throws: the decoder's error.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension ReceivedRequest: CustomStringConvertible, CustomReflectable {
    /// The request line and the header fields, secrets redacted, and the number of bytes.
    public var description: String {
        "\(method) \(Redaction.url(url, secretNames: .usual))\n\(headerFields)\n\(body.count) bytes"
    }

    /// The parts of the request, secrets redacted, and the number of bytes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "url": Redaction.url(url, secretNames: .usual), "template": template,
                "headerFields": headerFields,
                "body": "\(body.count) bytes", "connection": wire?.connection as Any,
            ],
            displayStyle: .struct
        )
    }
}

extension ReceivedRequest {
    /// A request as it was on the wire.
    public struct Wire: Sendable, Hashable, CustomReflectable {
        /// The number of the connection that it came over, counted from 1 in the order of acceptance.
        public let connection: Int

        /// The bytes from the request line to the empty line after the header fields, as they came.
        public let head: Data

        /// The fields after a chunked body (RFC 9112, section 7.1.2).
        public let trailerFields: HTTPFields

        /// The lines of the head as they came, without the empty one: first the request line, then one for each field.
        public var lines: [String] {
            String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
        }

        /// The number of the connection and the size of the head, whose bytes are left out because they have secrets in
        /// them.
        public var customMirror: Mirror {
            Mirror(self, children: ["connection": connection, "head": "\(head.count) bytes"], displayStyle: .struct)
        }

        /// The request line as it came: `GET /products?q=a HTTP/1.1`.
        public var requestLine: String { lines.first ?? "" }
    }
}

/// The received requests, in their order.
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

    /// Waits until `count` requests came; returns early if the task is cancelled.
    func wait(count: Int) async -> [ReceivedRequest] {
        await state.wait { $0.count >= count }
        return requests
    }
}
