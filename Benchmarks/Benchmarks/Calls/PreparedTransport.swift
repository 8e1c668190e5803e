import Foundation
import Waybill

/// A transport that returns the same response to every request.
struct PreparedTransport: Transport {
    private let response: HTTPResponse

    /// Creates a transport that responds with a body.
    init(_ body: Data, status: HTTPResponse.Status = 200, cacheControl: String? = nil) {
        var fields: HTTPFields = [HTTPField(name: .contentType, value: "application/json")]
        fields[.cacheControl] = cacheControl
        response = HTTPResponse(
            status: status,
            headerFields: fields,
            body: HTTPBody(body)
        )
    }

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        response
    }
}
