import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

/// A case of the conformance suite of the Swift HTTP API proposal: an exchange that each HTTP client should manage.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// The case in a few words, as on the page.
    let name: String
    /// The reasons for which transports do not fulfil the case.
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

    /// The rows of the page: the cases that a transport does not fulfil.
    static var rows: [String] {
        all.flatMap { row in
            Carrier.allCases.compactMap { carrier in
                row.unmet[carrier].map { "| \(row.name) | \(carrier.label) | \($0) |" }
            }
        }
    }

    /// Creates a case of one request to a server that gives the same response to each.
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

    /// Creates a case of a response that no client may take for one.
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

    /// Returns the response that describes its request: the method, the values of `X-Test`, and the body.
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
