import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

/// A case of the Swift HTTP API proposal's conformance suite: an exchange that every HTTP client should support.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// A short description of the case, as on the page.
    let name: String
    /// The reasons that transports do not conform to the case.
    let unmet: [Carrier: String]
    /// Runs the case over a transport.
    let check: @Sendable (Carrier) async throws -> Void

    init(_ name: String, unmet: [Carrier: String] = [:], check: @escaping @Sendable (Carrier) async throws -> Void) {
        self.name = name
        self.unmet = unmet
        self.check = check
    }

    var testDescription: String { name }

    /// All cases.
    static let all: [ConformanceCase] = framing + exchanges + fields + bodies + interleaved + aboveTransports

    /// The rows of the page: the cases that a transport does not conform to.
    static var rows: [String] {
        all.flatMap { row in
            Carrier.allCases.compactMap { carrier in
                row.unmet[carrier].map { "| \(row.name) | \(carrier.label) | \($0) |" }
            }
        }
    }

    /// Creates a case for one request to a server that sends the same response to every request.
    init(
        _ name: String,
        _ response: Responder,
        unmet: [Carrier: String] = [:],
        request: HTTPRequest.Method = .get,
        body: HTTPBody? = nil,
        fields: HTTPFields = [],
        expecting check: @escaping @Sendable (HTTPResponse, Data) throws -> Void
    ) {
        self.init(name, unmet: unmet) { (carrier: Carrier) async throws in
            let transport = try carrier.transport()
            try await LoopbackServer.run(StubResponses().otherwise(response)) { server async throws in
                let request = HTTPRequest(method: request, url: server.url, headerFields: fields, body: body)
                let response = try await transport.send(request)
                try check(response, try await response.body.collect())
            }
        }
    }

    /// Creates a case for bytes that no client may accept as a response.
    init(error name: String, raw text: String, unmet: [Carrier: String] = [:]) {
        self.init(name, unmet: unmet) { (carrier: Carrier) async throws in
            let transport = try carrier.transport()
            try await LoopbackServer.run(["GET it": .raw(text), "GET fine": .text("fine")]) { server async throws in
                await #expect(throws: TransportError.self) {
                    try await transport.text(.get, server.url.appending(path: "it"))
                }
                try await transport.expectWorks(server)
            }
        }
    }

    /// A response that describes its request: the method, the values of `X-Test`, and the body.
    static let described = Responder.response { request in
        let values = request.headerFields[values: name("X-Test")].joined(separator: ", ")
        return .text("\(request.method) [\(values)] \(request.text)")
    }

    static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .accept }
}

extension Carrier {
    /// The transport's name on the page.
    fileprivate var label: String { rawValue == "urlSession" ? "`URLSession` on Linux" : "libcurl" }
}
