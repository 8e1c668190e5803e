import Foundation
import Waybill

extension RecordedExchange: Decodable {
    private static let keys: Set = [
        "pageref", "startedDateTime", "time", "_template", "request", "response", "cache", "timings", "_fault", "_call",
        "_attempt", "_offset",
    ]

    private static let requestKeys: Set = [
        "method", "url", "httpVersion", "headers", "queryString", "cookies", "headersSize", "bodySize", "postData",
    ]

    private static let responseKeys: Set = [
        "status", "statusText", "httpVersion", "headers", "cookies", "content", "redirectURL", "headersSize",
        "bodySize", "_url", "_isDecoded", "_trailers",
    ]

    init(from decoder: any Decoder) throws {
        let members = try HARMembers(decoder, Self.keys)
        name = try members.optional("pageref", String.self)
        template = try members.value("_template", String.self)
        let request = try members.members("request", Self.requestKeys)
        let methodName = try request.value("method", String.self)
        guard let method = HTTPRequest.Method(methodName) else {
            throw request.error("method", "\(methodName.debugDescription) is not a method")
        }
        self.method = method
        url = try request.value("url", String.self)
        requestFields = try Self.fields(request, "headers", try request.value("headers", [Pair].self))
        try readRequestBody(request)
        try readResponse(members.members("response", Self.responseKeys))
        fault = try members.optional("_fault", RecordedFault.self)
        try Self.checkOrigin(members)
        guard status.code == 0 else { return }
        if fault?.kind == nil {
            throw members.error("response", "status 0 means no response and requires a _fault with a kind")
        }
        if !responseBody.bytes.isEmpty { throw members.error("response", "the status 0 has no content") }
    }

    /// Validates the members that only a ``TrafficRecorder`` writes and that replays ignore.
    private static func checkOrigin(_ members: HARMembers) throws {
        for key in ["_call", "_attempt"] { _ = try members.optional(key, Int.self) }
        _ = try members.optional("_offset", Double.self)
    }

    private mutating func readRequestBody(_ members: HARMembers) throws {
        let query = try members.value("queryString", [Pair].self).map {
            RecordedURL.Item(name: $0.name, value: $0.value)
        }
        guard query == RecordedURL(url).query else {
            throw members.error("queryString", "it differs from the query of the URL")
        }
        requestBody = try members.optional("postData", Content.self)?.body
        let size = try members.value("bodySize", Int.self)
        let count = requestBody?.bytes.count ?? 0
        guard size == count || size == -1 else {
            throw members.error("bodySize", "it is \(size), but postData has \(count) bytes; write \(count) or -1")
        }
    }

    private mutating func readResponse(_ members: HARMembers) throws {
        let code = try members.value("status", Int.self)
        guard code == 0 || 100...599 ~= code else { throw members.error("status", "\(code) is not a status") }
        status = HTTPResponse.Status(code: code, reasonPhrase: try members.value("statusText", String.self))
        responseFields = try Self.fields(members, "headers", try members.value("headers", [Pair].self))
        responseBody = try members.value("content", Content.self).body
        let trailers = try members.optional("_trailers", [Pair].self) ?? []
        trailerFields = try Self.fields(members, "_trailers", trailers)
        responseURL = try members.optional("_url", String.self)
        isDecoded = try members.optional("_isDecoded", Bool.self) ?? false
        try members.check("redirectURL", is: responseFields[.location] ?? "")
    }

    /// A header or trailer field, or an item of a query.
    private struct Pair: Decodable {
        let name: String
        let value: String
        let field: HTTPField?

        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, ["name", "value"])
            name = try members.value("name", String.self)
            value = try members.value("value", String.self)
            let fieldName = HTTPField.isValid(value: value) ? HTTPField.Name(name) : nil
            field = fieldName.map { [value] in HTTPField(name: $0, value: value) }
        }
    }

    private static func fields(_ members: HARMembers, _ key: String, _ pairs: [Pair]) throws -> HTTPFields {
        if let pair = pairs.first(where: { $0.field == nil }) {
            throw members.error(
                key,
                "\(pair.name.debugDescription) is not the name of a field, or its value is not valid"
            )
        }
        return HTTPFields(pairs.compactMap(\.field))
    }

    /// A body, whose Base64 encoding is marked by `encoding` in `content` and `_encoding` in `postData`.
    private struct Content: Decodable {
        let body: RecordedBody

        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, ["mimeType", "text", "size", "encoding", "_encoding"])
            let text = try members.value("text", String.self)
            var bytes = Data(text.utf8)
            for key in ["encoding", "_encoding"] {
                guard try members.optional(key, String.self) != nil else { continue }
                try members.check(key, is: "base64")
                guard let decoded = Data(base64Encoded: text) else { throw members.error("text", "it is not base64") }
                bytes = decoded
            }
            body = RecordedBody(
                bytes: bytes,
                mediaType: try members.value("mimeType", String.self),
                note: try members.optional("comment", String.self)
            )
            if let size = try members.optional("size", Int.self), size != bytes.count, size != -1 {
                let count = bytes.count
                throw members.error("size", "it is \(size), but the text has \(count) bytes; write \(count) or -1")
            }
        }
    }
}

extension RecordedExchange {
    /// The start time written for exchanges without one.
    static let startTime = "1970-01-01T00:00:00.000Z"

    /// The exchange as an element of `entries` (HAR 1.2).
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "startedDateTime": .string(startTime?.harText ?? Self.startTime),
            "time": timings?.total.milliseconds ?? 0,
            "_template": .string(template),
            "request": requestJSON,
            "response": responseJSON,
            "cache": [:],
            "timings": timings?.json ?? ["send": 0, "wait": 0, "receive": 0],
        ]
        if let origin {
            members["_attempt"] = .integer(origin.attempt)
            if let call = origin.call { members["_call"] = .integer(call) }
            if let offset = origin.offset { members["_offset"] = offset.milliseconds }
        }
        if let name { members["pageref"] = .string(name) }
        if let fault { members["_fault"] = fault.json }
        return .object(members)
    }

    private var requestJSON: JSONValue {
        var members: [String: JSONValue] = [
            "method": .string(method.rawValue),
            "url": .string(url),
            "httpVersion": .string(protocolVersion),
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
            "httpVersion": .string(protocolVersion),
            "headers": Self.list(responseFields),
            "cookies": [],
            "content": .object(content),
            "redirectURL": .string(responseFields[.location] ?? ""),
            "headersSize": -1,
            "bodySize": .integer(bytesReceived ?? -1),
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

extension Date {
    private static let harFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The date as written to the file.
    var harText: String { formatted(Self.harFormat) }
}

extension RecordedBody {
    fileprivate func json(encodingKey: String) -> JSONValue {
        var members: [String: JSONValue] = ["mimeType": .string(mediaType)]
        if let text {
            members["text"] = .string(text)
        } else {
            members["text"] = .string(bytes.base64EncodedString())
            members[encodingKey] = "base64"
        }
        if let note { members["comment"] = .string(note) }
        return .object(members)
    }
}
