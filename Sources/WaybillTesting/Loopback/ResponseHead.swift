import Foundation
import Waybill

/// The head of a response in bytes (RFC 9112, section 4): status line, the stubbed fields, and those that the
/// connection needs.
struct ResponseHead: Sendable {
    let bytes: Data

    init(
        _ response: StubResponse,
        to request: ResponseSerializer.Request,
        promisedLength: Int?,
        ending: ResponseSerializer.Ending
    ) {
        var text = "HTTP/1.1 \(response.status.code) \(Self.phrase(of: response.status))\r\n"
        for field in response.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
        text += Self.framing(of: response, to: request, promisedLength: promisedLength)
        if !response.headerFields.contains(.connection) {
            text += Self.connection(of: response, to: request, ending: ending)
        }
        text += "\r\n"
        bytes = Data(text.utf8)
    }

    private static func phrase(of status: HTTPResponse.Status) -> String {
        guard status.reasonPhrase.isEmpty else { return status.reasonPhrase }
        return status.description.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    }

    private static func framing(
        of response: StubResponse,
        to request: ResponseSerializer.Request,
        promisedLength: Int?
    ) -> String {
        let fields = response.headerFields
        guard ResponseSerializer.mayHaveBody(response.status), !fields.contains(.contentLength),
            !fields.contains(.transferEncoding)
        else { return "" }
        guard response.delivery.chunkSize == nil else {
            return request.minorVersion >= 1 ? "Transfer-Encoding: chunked\r\n" : ""
        }
        return "Content-Length: \(promisedLength ?? response.body.count)\r\n"
    }

    private static func connection(
        of response: StubResponse,
        to request: ResponseSerializer.Request,
        ending: ResponseSerializer.Ending
    ) -> String {
        switch (ending, response.delivery.ending) {
        case (.close, .closes(announced: true)), (.close, .keepsAlive): "Connection: close\r\n"
        case (.keepAlive, _) where request.minorVersion == 0: "Connection: keep-alive\r\n"
        default: ""
        }
    }
}
