import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Requests without content", .inTurn, .safetyNet)
struct EmptyBodyTests {
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "REPORT"]
        .compactMap { HTTPRequest.Method($0) }

    /// A declared QUERY always has a body (RFC 10008).
    private static let declarableMethods = methods.filter { $0 != .query }

    private static func call(_ client: Client, _ method: HTTPRequest.Method) -> Endpoint<Void> {
        client.endpoint { Route(method.rawValue, "it") }
    }

    /// The header fields of a received request that describe its content.
    private static func contentFields(_ fields: HTTPFields) -> [String] {
        fields.filter { $0.name.canonicalName.hasPrefix("content-") }.map(\.description)
    }

    /// The expected content fields of a request without content (RFC 9110, section 8.6).
    private static func expectedFields(_ method: HTTPRequest.Method) -> [String] {
        [.post, .put, .patch, .query].contains(method) ? ["Content-Length: 0"] : []
    }

    @Test(
        "A request without content sends a length if its method expects a body, and never a media type",
        arguments: Carrier.allCases,
        methods
    )
    func transports(_ carrier: Carrier, _ method: HTTPRequest.Method) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(StubResponses().otherwise(.text("fine"))) { server async throws in
            for body in [nil, HTTPBody(Data())] {
                let request = HTTPRequest(method: method, url: server.url.appending(path: "it"), body: body)
                #expect(try await transport.send(request).status == 200)
            }
            for request in server.requests {
                // URLSession decides for which methods it sends the length.
                let fields = Self.contentFields(request.headerFields)
                if carrier == .urlSession {
                    #expect(!fields.contains { $0.hasPrefix("Content-Type") }, "\(fields)")
                } else {
                    #expect(fields == Self.expectedFields(method))
                }
            }
        }
    }

    @Test(
        "A curl command without content sends a length if its method expects a body, and never a media type",
        arguments: declarableMethods
    )
    func commands(_ method: HTTPRequest.Method) throws {
        let command = try Self.call(Client(Shop.url), method).curl()
        #expect(command.contains("Content-Length: 0") == !Self.expectedFields(method).isEmpty)
        #expect(!command.contains("Content-Type"))
    }

    #if os(Linux)
        @Test(
            "The curl program sends the content fields of the original call",
            .enabled(if: Shell.finds("curl")),
            arguments: declarableMethods
        )
        func program(_ method: HTTPRequest.Method) async throws {
            try await LoopbackServer.run(StubResponses().otherwise(.text("fine"))) { server async throws in
                let endpoint = Self.call(Client(server.url), method)
                try await endpoint.send()
                try Shell.run(try endpoint.curl(), in: FileManager.default.temporaryDirectory)
                let fields = server.requests.map { Self.contentFields($0.headerFields) }
                #expect(fields == [Self.expectedFields(method), Self.expectedFields(method)])
            }
        }
    #endif
}
