import CallSupport
import Foundation
import Testing

@testable import Waybill
@testable import WaybillTransports
@testable import WaybillURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests with streamed bodies, for Apple platforms.
///
/// The code compiles on all platforms.
@Suite("URLSessionTransport: requests with streamed bodies")
struct OutgoingBodyTests {
    private func request(
        _ method: HTTPRequest.Method = .put,
        length: Int?,
        _ fields: HTTPFields = []
    ) throws -> URLRequest {
        let upload = Upload(stream: HTTPBody(Chunks("one ", "two"), length: length))
        let url = try #require(URL(string: "http://h/it"))
        return try HTTPRequest(method: method, url: url, headerFields: fields).urlRequest(body: .stream(upload))
    }

    @Test("URLSessionTransport sets Content-Length only for a stream of known length", arguments: [7, nil])
    func length(_ length: Int?) throws {
        let request = try request(length: length)
        #expect(request.value(forHTTPHeaderField: "Content-Length") == length.map { "\($0)" })
        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/octet-stream")
    }

    @Test("URLSessionTransport keeps the declared content type of a stream")
    func contentType() throws {
        let type = HTTPField(name: .contentType, value: "video/mp4")
        #expect(try request(length: nil, [type]).value(forHTTPHeaderField: "Content-Type") == "video/mp4")
    }

    @Test(
        "URLSessionTransport accepts a stream's correct Content-Length, and rejects any other",
        arguments: [7, 8, nil]
    )
    func declaredLength(_ length: Int?) throws {
        let field = HTTPField(name: .contentLength, value: "7")
        if length == 7 {
            #expect(try request(length: 7, [field]).value(forHTTPHeaderField: "Content-Length") == "7")
        } else {
            let error = #expect(throws: TransportError.self) { try request(length: length, [field]) }
            #expect(error?.kind == .unsupportedRequest)
        }
    }

    @Test("URLSessionTransport rejects a streamed body on GET and HEAD", arguments: [HTTPRequest.Method.get, .head])
    func rejected(_ method: HTTPRequest.Method) {
        let error = #expect(throws: TransportError.self) { try request(method, length: nil) }
        #expect(error?.kind == .unsupportedRequest)
    }

    @Test("URLSessionTransport sends an empty stream as an empty body")
    func empty() async throws {
        let url = try #require(URL(string: "http://h/it"))
        let request = HTTPRequest(method: .get, url: url, body: HTTPBody(Chunks(), length: 0))
        let body = try await request.outgoingBody()
        #expect(body.upload == nil)
        #expect(try request.urlRequest(body: body).httpBody == nil)
    }
}
