import Foundation
import Waybill

/// A recorded request with its response or its fault, secrets redacted: an entry of the file.
struct RecordedExchange: Sendable, Hashable {
    /// The name of the recording that it belongs to; nil if the file has only one.
    var name: String?
    var method: HTTPRequest.Method
    var template: String
    var url: String
    var requestFields: HTTPFields
    var requestBody: RecordedBody?
    /// The status; 0 if no response has come.
    var status = HTTPResponse.Status(code: 0)
    var responseFields = HTTPFields()
    var responseBody = RecordedBody()
    var trailerFields = HTTPFields()
    /// The URL of the response, if it is not that of the request.
    var responseURL: String?
    /// Whether the transport undid a content coding.
    var isDecoded = false
    /// The time at which the request was sent; nil in a recording, which another run writes in the same way.
    var startTime: Date?
    /// The durations of its phases; nil in a recording.
    var timings: RecordedTimings?
    /// The call that made it, and its attempt; nil in a recording.
    var origin: RecordedOrigin?
    /// The version of HTTP that the transport reported; empty if it is unknown, and in a recording.
    var protocolVersion = ""
    /// The bytes of the response's body as they arrived; nil if they are unknown, and in a recording.
    var bytesReceived: Int?
    /// The fault in place of a response, or the one that ended its body.
    var fault: RecordedFault?

    /// About the number of bytes that it has in the file.
    var byteCount: Int { 2_000 + (requestBody?.bytes.count ?? 0) + responseBody.bytes.count }

    /// The method and the URL, for texts.
    var summary: String { "\(method) \(url)" }
}

/// The place of an exchange among those of its call.
struct RecordedOrigin: Sendable, Hashable {
    /// The number of the call; nil if the call is not observed.
    var call: Int?
    /// The attempt of the call, counted from 1.
    var attempt: Int
    /// The time from the beginning of the call to that of the exchange; nil if the call is not observed.
    var offset: Duration?
}

/// The bytes of a recorded body.
struct RecordedBody: Sendable, Hashable {
    var bytes = Data()
    var mediaType = ""
    /// The reason for which it is left out, or the comment of another tool; nil without one.
    var note: String?

    /// The bytes as text; nil if they are not UTF-8, or if the text would not keep them.
    var text: String? {
        // Bytes that are not UTF-8 are replaced, so the text differs from them.
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

/// The recorded fault of a transport, or the place where a reader left a body.
struct RecordedFault: Sendable, Hashable {
    /// The kind; nil for a body that was not read further.
    var kind: TransportError.Kind?
    var phase: TransportError.Phase?
    var timeout: TransportError.Timeout?
    var message = ""

    /// The error that a replay throws.
    var error: TransportError {
        guard let kind else {
            return TransportError(.other, "the recording ends here, because its reader read no further")
        }
        return TransportError(kind, message, phase: phase, timeout: timeout)
    }
}

extension RecordedFault {
    init(_ error: TransportError, message: String) {
        self.init(kind: error.kind, phase: error.phase, timeout: error.timeout, message: message)
    }

    /// The name of the kind in the file of a body that was not read to its end.
    private static let unread = "unread"

    /// The members of the file.
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
        // A loop takes a hundred times as long in a build without optimization.
        return memcmp(start, otherStart, Swift.min(count, other.count)) == 0
    }
}
