import Foundation
import Waybill

extension RecordedExchange {
    /// The time of exchanges without one.
    static let startTime = "1970-01-01T00:00:00.000Z"

    /// The entry of the file (HAR 1.2, `entries`).
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "startedDateTime": .string(startTime.map { $0.formatted(Self.timeFormat) } ?? Self.startTime),
            "time": .integer(milliseconds),
            "_template": .string(template),
            "request": requestJSON,
            "response": responseJSON,
            "cache": [:],
            "timings": ["send": 0, "wait": .integer(milliseconds), "receive": 0],
        ]
        if let name { members["pageref"] = .string(name) }
        if let fault { members["_fault"] = fault.json }
        return .object(members)
    }

    private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private var milliseconds: Int { duration.map { Int($0 / .milliseconds(1)) } ?? 0 }

    private var requestJSON: JSONValue {
        var members: [String: JSONValue] = [
            "method": .string(method.rawValue),
            "url": .string(url),
            "httpVersion": "",
            "headers": Self.list(requestFields),
            "queryString": .array(RecordedURL(url).query.map { Self.pair($0.name, $0.value) }),
            "cookies": [],
            "headersSize": -1,
            "bodySize": .integer(requestBody?.bytes.count ?? 0),
        ]
        if let requestBody { members["postData"] = requestBody.json(encodingKey: "_encoding") }
        return .object(members)
    }

    private var responseJSON: JSONValue {
        var content = responseBody.json(encodingKey: "encoding").objectValue ?? [:]
        content["size"] = .integer(responseBody.bytes.count)
        var members: [String: JSONValue] = [
            "status": .integer(status.code),
            "statusText": .string(status.reasonPhrase),
            "httpVersion": "",
            "headers": Self.list(responseFields),
            "cookies": [],
            "content": .object(content),
            "redirectURL": .string(responseFields[.location] ?? ""),
            "headersSize": -1,
            "bodySize": -1,
        ]
        if let responseURL { members["_url"] = .string(responseURL) }
        if isDecoded { members["_isDecoded"] = true }
        if !trailerFields.isEmpty { members["_trailers"] = Self.list(trailerFields) }
        return .object(members)
    }

    private static func list(_ fields: HTTPFields) -> JSONValue {
        .array(fields.map { pair($0.name.rawName, $0.value) })
    }

    private static func pair(_ name: String, _ value: String) -> JSONValue {
        ["name": .string(name), "value": .string(value)]
    }
}

extension RecordedBody {
    fileprivate func json(encodingKey: String) -> JSONValue {
        if let text { return ["mimeType": .string(mediaType), "text": .string(text)] }
        return [
            "mimeType": .string(mediaType), "text": .string(bytes.base64EncodedString()), encodingKey: "base64",
        ]
    }
}
