import Foundation
import Waybill

extension RecordedExchange: Decodable {
    private static let keys: Set = [
        "pageref", "startedDateTime", "time", "_template", "request", "response", "cache", "timings", "_fault",
    ]

    init(from decoder: any Decoder) throws {
        let members = try HARMembers(decoder, Self.keys)
        let request = try members.value("request", Request.self)
        let response = try members.value("response", Response.self)
        self.init(
            name: try members.optional("pageref", String.self),
            method: request.method,
            template: try members.value("_template", String.self),
            url: request.url,
            requestFields: request.fields,
            requestBody: request.body,
            status: response.status,
            responseFields: response.fields,
            responseBody: response.body,
            trailerFields: response.trailerFields,
            responseURL: response.url,
            isDecoded: response.isDecoded,
            fault: try members.optional("_fault", RecordedFault.self)
        )
        guard status.code == 0 else { return }
        if fault?.kind == nil {
            throw members.error("response", "the status 0 stands for no response, and needs a _fault with its kind")
        }
        if !responseBody.bytes.isEmpty { throw members.error("response", "the status 0 has no content") }
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

    private struct Request: Decodable {
        let method: HTTPRequest.Method
        let url: String
        let fields: HTTPFields
        let body: RecordedBody?

        private static let keys: Set = [
            "method", "url", "httpVersion", "headers", "queryString", "cookies", "headersSize", "bodySize", "postData",
        ]

        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, Self.keys)
            let name = try members.value("method", String.self)
            guard let method = HTTPRequest.Method(name) else {
                throw members.error("method", "\(name.debugDescription) is not a method")
            }
            self.method = method
            url = try members.value("url", String.self)
            fields = try RecordedExchange.fields(members, "headers", try members.value("headers", [Pair].self))
            let query = try members.value("queryString", [Pair].self).map {
                RecordedURL.Item(name: $0.name, value: $0.value)
            }
            guard query == RecordedURL(url).query else {
                throw members.error("queryString", "it differs from the query of the URL")
            }
            body = try members.optional("postData", Content.self)?.body
            let size = try members.value("bodySize", Int.self)
            let count = body?.bytes.count ?? 0
            guard size == count || size == -1 else {
                throw members.error("bodySize", "it is \(size), and postData has \(count) bytes: write that, or -1")
            }
        }
    }

    private struct Response: Decodable {
        let status: HTTPResponse.Status
        let fields: HTTPFields
        let body: RecordedBody
        let trailerFields: HTTPFields
        let url: String?
        let isDecoded: Bool

        private static let keys: Set = [
            "status", "statusText", "httpVersion", "headers", "cookies", "content", "redirectURL", "headersSize",
            "bodySize", "_url", "_isDecoded", "_trailers",
        ]

        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, Self.keys)
            let code = try members.value("status", Int.self)
            guard code == 0 || 100...599 ~= code else { throw members.error("status", "\(code) is not a status") }
            status = HTTPResponse.Status(code: code, reasonPhrase: try members.value("statusText", String.self))
            fields = try RecordedExchange.fields(members, "headers", try members.value("headers", [Pair].self))
            body = try members.value("content", Content.self).body
            let trailers = try members.optional("_trailers", [Pair].self) ?? []
            trailerFields = try RecordedExchange.fields(members, "_trailers", trailers)
            url = try members.optional("_url", String.self)
            isDecoded = try members.optional("_isDecoded", Bool.self) ?? false
            try members.check("redirectURL", is: fields[.location] ?? "")
        }
    }

    /// A body, whose coding has other names in `content` and in `postData`.
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
            body = RecordedBody(bytes: bytes, mediaType: try members.value("mimeType", String.self))
            if let size = try members.optional("size", Int.self), size != bytes.count, size != -1 {
                throw members.error("size", "it is \(size), and the text has \(bytes.count) bytes: write that, or -1")
            }
        }
    }
}
