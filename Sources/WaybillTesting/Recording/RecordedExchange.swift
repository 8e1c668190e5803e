import Foundation
import Waybill

/// A recorded request with its response or fault, without secrets: an entry of the file.
struct RecordedExchange: Sendable, Hashable {
    /// The name of the recording; nil if the file has only one.
    var name: String?
    var method: HTTPRequest.Method
    var template: String
    var url: String
    var requestFields: HTTPFields
    var requestBody: RecordedBody?
    /// The status; 0 if there was no response.
    var status = HTTPResponse.Status(code: 0)
    var responseFields = HTTPFields()
    var responseBody = RecordedBody()
    var trailerFields = HTTPFields()
    /// The URL of the response, if it differs from the request's.
    var responseURL: String?
    /// Whether the transport decoded the body.
    var isDecoded = false
    /// The time at which the request was sent; nil in recordings, so the file does not change between runs.
    var startTime: Date?
    /// The durations of the phases; nil in recordings.
    var timings: RecordedTimings?
    /// The call that sent the request, and its attempt; nil in recordings.
    var origin: RecordedOrigin?
    /// The HTTP version reported by the transport; empty in recordings or if unknown.
    var protocolVersion = ""
    /// The size of the response body as transferred, in bytes; nil in recordings or if unknown.
    var bytesReceived: Int?
    /// The fault that replaced the response or ended its body.
    var fault: RecordedFault?

    /// The approximate size of the exchange's entry in the file, in bytes.
    var byteCount: Int { 2_000 + (requestBody?.bytes.count ?? 0) + responseBody.bytes.count }

    /// The method and URL, for error texts.
    var summary: String { "\(method) \(url)" }
}

/// The position of an exchange within its call.
struct RecordedOrigin: Sendable, Hashable {
    /// The number of the call; nil if the call is not observed.
    var call: Int?
    /// The attempt within the call, counted from 1.
    var attempt: Int
    /// The time from the start of the call to the start of the exchange; nil if the call is not observed.
    var offset: Duration?
}

/// A recorded body and its media type.
struct RecordedBody: Sendable, Hashable {
    var bytes = Data()
    var mediaType = ""
    /// The reason for omitting the body, a comment from another tool, or nil.
    var note: String?

    /// The bytes as text; nil if the text would not preserve them, as with invalid UTF-8.
    var text: String? {
        // Decoding replaces invalid UTF-8, so the text has different bytes.
        let text = String(decoding: bytes, as: UTF8.self)
        let isSame = text.withBytes { own in
            bytes.withUnsafeBytes { own.count == $0.count && UnsafeRawBufferPointer(own).hasSameBytes(as: $0) }
        }
        return isSame ? text : nil
    }
}

extension RecordedExchange {
    /// Returns the recorded response.
    ///
    /// - Throws: the recorded fault if there is no response.
    func response() throws(TransportError) -> HTTPResponse {
        if status.code == 0 { throw (fault ?? RecordedFault(kind: nil)).error }
        var body = HTTPBody(responseBody.bytes, trailerFields: trailerFields)
        if let error = fault?.error {
            let chunks = ProducedChunks<Data?> { [responseBody] in
                responseBody.bytes
            } next: { rest in
                guard let bytes = rest.take() else { throw error }
                return bytes
            }
            body = HTTPBody(chunks)
        }
        return HTTPResponse(
            status: status,
            headerFields: responseFields,
            body: body,
            url: responseURL.flatMap { URL(string: $0) }
        )
    }
}

/// A recorded transport error, or the mark of a body that was not read to its end.
struct RecordedFault: Sendable, Hashable {
    /// The kind; nil for a body that was not read to its end.
    var kind: TransportError.Kind?
    var phase: TransportError.Phase?
    var timeout: TransportError.Timeout?
    var message = ""

    /// The error that a replay throws.
    var error: TransportError {
        guard let kind else {
            return TransportError(.other, "the recording ends here, because the body was not read further")
        }
        return TransportError(kind, message, phase: phase, timeout: timeout)
    }
}

extension RecordedFault {
    init(_ error: TransportError, message: String) {
        self.init(kind: error.kind, phase: error.phase, timeout: error.timeout, message: message)
    }

    /// The kind written to the file for a body that was not read to its end.
    private static let unread = "unread"

    /// The value of `_fault` in the file.
    var json: JSONValue {
        var members: [String: JSONValue] = ["kind": .string(kind.map { "\($0)" } ?? Self.unread)]
        if let phase { members["phase"] = .string("\(phase)") }
        if let timeout { members["timeout"] = .string("\(timeout)") }
        if !message.isEmpty { members["message"] = .string(message) }
        return .object(members)
    }
}

extension RecordedFault: Decodable {
    init(from decoder: any Decoder) throws {
        let members = try HARMembers(decoder, ["kind", "phase", "timeout", "message"])
        let name = try members.value("kind", String.self)
        let kinds = TransportError.Kind.allCases
        if name != Self.unread {
            kind = try members.choice("kind", name, kinds, others: [Self.unread])
        }
        if let name = try members.optional("phase", String.self) {
            phase = try members.choice("phase", name, TransportError.Phase.allCases)
        }
        if let name = try members.optional("timeout", String.self) {
            timeout = try members.choice("timeout", name, TransportError.Timeout.allCases)
        }
        message = try members.optional("message", String.self) ?? ""
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a buffer of the same length has the same bytes.
    fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return isEmpty && other.isEmpty }
        // Without optimization, a loop takes a hundred times as long.
        return memcmp(start, otherStart, Swift.min(count, other.count)) == 0
    }
}
