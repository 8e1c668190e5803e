import Foundation
import Waybill

/// A request and its response, read from an entry of a HAR for a report.
struct ReportExchange: Sendable {
    /// A header field, whose name may be invalid, such as HTTP/2's `:authority`.
    struct Field: Sendable {
        var name: String
        var value: String
    }

    /// The phases of an exchange, in drawing order.
    enum Phase: String, Sendable, CaseIterable {
        case blocked, lookup, connect, secure, send, wait, receive
    }

    var method: String
    var url: String
    var status: Int
    var statusText: String
    var protocolVersion: String
    /// The start in milliseconds since 1970, and the duration in milliseconds.
    var start: Double
    var duration: Double
    /// The known phases, with their durations in milliseconds.
    var phases: [(phase: Phase, duration: Double)]
    var attempt: Int?
    var cacheUse: String?
    var failure: String?
    var size: Int?
    /// The cookies of both messages, for HARs whose header fields omit them.
    var cookies: [Field]
    var requestFields: [Field]
    var responseFields: [Field]
    var requestBody: RecordedBody
    var responseBody: RecordedBody

    /// Reads an entry.
    init(_ entry: JSONValue) {
        let (request, response) = (entry["request"], entry["response"])
        method = request?["method"]?.stringValue ?? ""
        url = request?["url"]?.stringValue ?? ""
        status = response?["status"]?.intValue ?? 0
        statusText = response?["statusText"]?.stringValue ?? ""
        protocolVersion = response?["httpVersion"]?.stringValue ?? ""
        start = entry["startedDateTime"]?.stringValue.flatMap(ReportTime.milliseconds) ?? 0
        phases = Self.phases(entry["timings"])
        // Tools round each phase separately, so the sum may be greater than the total.
        duration = max(ReportTime.duration(entry["time"]) ?? 0, phases.reduce(0) { $0 + $1.duration })
        attempt = entry["_attempt"]?.intValue
        // Chrome and Edge write `_fromCache`, and Safari writes `_fetchType`.
        cacheUse = (entry["_fromCache"] ?? response?["_fromCache"])?.stringValue.map { "from the \($0) cache" }
        if cacheUse == nil, let kind = response?["_fetchType"]?.stringValue, kind.hasSuffix("Cache") {
            cacheUse = "from the \(kind.lowercased())"
        }
        cookies = Self.fields(request?["cookies"]) + Self.fields(response?["cookies"])
        requestFields = Self.fields(request?["headers"])
        responseFields = Self.fields(response?["headers"])
        requestBody = Self.body(request?["postData"], encodingKey: "_encoding")
        responseBody = Self.body(response?["content"], encodingKey: "encoding")
        let sizes = [response?["content"]?["size"], response?["bodySize"]].compactMap { $0?.intValue }
        size = responseBody.bytes.isEmpty ? sizes.first { $0 > 0 } ?? sizes.first { $0 == 0 } : responseBody.bytes.count
        failure = Self.failure(entry, response)
    }

    private static func failure(_ entry: JSONValue, _ response: JSONValue?) -> String? {
        if let fault = entry["_fault"] {
            return fault["message"]?.stringValue ?? fault["kind"]?.stringValue ?? ""
        }
        return (response?["_error"] ?? entry["_error"])?.stringValue
    }

    private static func phases(_ json: JSONValue?) -> [(phase: Phase, duration: Double)] {
        let secure = ReportTime.duration(json?["ssl"])
        // In HAR, `connect` includes TLS.
        let connect = ReportTime.duration(json?["connect"]).map { max(0, $0 - (secure ?? 0)) }
        let all: [(phase: Phase, duration: Double?)] = [
            (.blocked, ReportTime.duration(json?["blocked"])), (.lookup, ReportTime.duration(json?["dns"])),
            (.connect, connect), (.secure, secure), (.send, ReportTime.duration(json?["send"])),
            (.wait, ReportTime.duration(json?["wait"])), (.receive, ReportTime.duration(json?["receive"])),
        ]
        return all.compactMap { phase, duration in duration.map { (phase, $0) } }.filter { $0.duration > 0 }
    }

    private static func fields(_ json: JSONValue?) -> [Field] {
        (json?.arrayValue ?? []).compactMap { field in
            field["name"]?.stringValue.map { Field(name: $0, value: field["value"]?.stringValue ?? "") }
        }
    }

    private static func body(_ json: JSONValue?, encodingKey: String) -> RecordedBody {
        let mediaType = json?["mimeType"]?.stringValue ?? ""
        guard let text = json?["text"]?.stringValue, !text.isEmpty else {
            return RecordedBody(bytes: form(json?["params"]), mediaType: mediaType)
        }
        let isEncoded = json?[encodingKey]?.stringValue == "base64"
        let bytes = isEncoded ? Data(base64Encoded: text, options: .ignoreUnknownCharacters) : nil
        return RecordedBody(bytes: bytes ?? Data(text.utf8), mediaType: mediaType)
    }

    /// Returns the encoded text of a form, for HARs that contain only its items.
    private static func form(_ json: JSONValue?) -> Data {
        let items = fields(json).map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        return Data(items.joined(separator: "&").utf8)
    }
}
