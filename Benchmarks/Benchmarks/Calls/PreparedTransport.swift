import Foundation
import Waybill

/// A transport that gives the same response to every request, and does nothing else.
struct PreparedTransport: Transport {
    private let response: HTTPResponse

    /// Answers with this body.
    init(_ body: Data, status: HTTPResponse.Status = 200) {
        response = HTTPResponse(
            status: status,
            headerFields: [HTTPField(name: .contentType, value: "application/json")],
            body: HTTPBody(body)
        )
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { response }
}
