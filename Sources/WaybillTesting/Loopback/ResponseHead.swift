import Foundation
import Waybill

/// The head of a response in bytes (RFC 9112, section 4): status line, the answer's fields, and those that the
/// connection needs.
struct ResponseHead: Sendable {
    let bytes: Data

    init(
        _ answer: Answer,
        to request: AnswerSerializer.Request,
        promisedLength: Int?,
        ending: AnswerSerializer.Ending
    ) {
        var text = "HTTP/1.1 \(answer.status.code) \(Self.phrase(of: answer.status))\r\n"
        for field in answer.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
        text += Self.framing(of: answer, to: request, promisedLength: promisedLength)
        if !answer.headerFields.contains(.connection) {
            text += Self.connection(of: answer, to: request, ending: ending)
        }
        text += "\r\n"
        bytes = Data(text.utf8)
    }

    private static func phrase(of status: HTTPResponse.Status) -> String {
        guard status.reasonPhrase.isEmpty else { return status.reasonPhrase }
        return status.description.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    }

    private static func framing(
        of answer: Answer,
        to request: AnswerSerializer.Request,
        promisedLength: Int?
    ) -> String {
        let fields = answer.headerFields
        guard AnswerSerializer.mayHaveBody(answer.status), !fields.contains(.contentLength),
            !fields.contains(.transferEncoding)
        else { return "" }
        guard answer.delivery.chunkSize == nil else {
            return request.minorVersion >= 1 ? "Transfer-Encoding: chunked\r\n" : ""
        }
        return "Content-Length: \(promisedLength ?? answer.body.count)\r\n"
    }

    private static func connection(
        of answer: Answer,
        to request: AnswerSerializer.Request,
        ending: AnswerSerializer.Ending
    ) -> String {
        switch (ending, answer.delivery.ending) {
        case (.close, .closes(announced: true)), (.close, .keepsAlive): "Connection: close\r\n"
        case (.keepAlive, _) where request.minorVersion == 0: "Connection: keep-alive\r\n"
        default: ""
        }
    }
}
