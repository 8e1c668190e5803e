import Waybill
import WaybillSystem

extension Events where Value == Never {
    /// The media types of event streams accepted besides `text/event-stream`.
    ///
    /// ```swift
    /// endpoint {
    ///     POST("chat")
    ///     Events.MediaTypes("text/plain", "application/octet-stream")
    /// }
    /// ```
    ///
    /// Without the clause, a response with another media type is an `APIError.decoding` error. With a declared media
    /// type, the body must begin with a comment or with one of the fields `data`, `event`, `id` and `retry`, because an
    /// error page can have the same media type. `Endpoint.stream()` returns once this is certain. The clause does not
    /// change the request's `Accept` field. `Events.MediaTypes.none` turns off the clause of an outer scope.
    public struct MediaTypes: Setting, Hashable {
        /// The clause's name in declarations.
        public static var clauseName: String { "Events.MediaTypes" }

        /// The media type of events by default.
        package static var standard: MediaTypes { MediaTypes("text/event-stream") }

        /// No media types besides `text/event-stream`, even if an outer scope declares some.
        public static var none: Self { Self(types: []) }

        /// The media types, as declared.
        public let types: [String]

        /// Declares media types.
        ///
        /// - Parameters:
        ///   - type: a media type such as `text/plain`, whose parameters are ignored; a range such as `text/*` is a
        ///     declaration error. `application/octet-stream` includes responses without a media type.
        ///   - others: further media types.
        public init(_ type: String, _ others: String...) { types = [type] + others }

        private init(types: [String]) { self.types = types }

        /// The media types, or `none`.
        public var summary: String { types.isEmpty ? "none" : types.joined(separator: ", ") }

        /// Declares the media types, and an error for each text that is not a media type.
        ///
        /// - Parameter scope: the scope to declare them in.
        public func declare(in scope: inout Scope) {
            for type in types where !MediaType(type).isComplete {
                scope.declare(
                    Scope.DeclarationError(
                        clause: Self.clauseName,
                        value: String(reflecting: type),
                        reason: "a media type is a type and a subtype, such as text/plain"
                    )
                )
            }
            scope.declare(self)
        }

        /// Whether a response with this content type may contain events.
        func contains(_ contentType: String?) -> Bool {
            // RFC 9110, section 8.3.
            let essence = MediaType(contentType ?? "application/octet-stream").essence
            return types.contains { MediaType($0).essence == essence }
        }
    }
}

extension MediaType {
    /// Whether the media type has a type and a subtype, neither of them a wildcard.
    fileprivate var isComplete: Bool {
        let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { Token.isValid(String($0)) && $0 != "*" }
    }
}

extension EventStreamParser {
    /// Creates a parser for a connection of a call.
    init(of plan: Call.Plan, lastID: String = "") {
        let names = plan.settings[Events<Never>.End.self]?.names ?? []
        self.init(lastID: lastID, limit: plan.successLimit, namesWithoutData: Set(names))
    }

    /// Whether a body begins with a comment or a field of server-sent events; nil if more bytes are needed.
    ///
    /// - Parameter bytes: the beginning of the body.
    /// - Returns: whether it begins like an event stream; nil if more bytes are needed.
    static func isStream(beginningWith bytes: Data) -> Bool? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.count < mark.count, mark.starts(with: bytes) { return nil }
        let line = (bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes).drop { "\r\n".utf8.contains($0) }
        // No server begins with that many line breaks, and they must not accumulate in memory.
        guard let first = line.first else { return bytes.count < 1024 ? nil : true }
        if first == UInt8(ascii: ":") { return true }
        for field in ["data", "event", "id", "retry"] {
            if field.utf8.starts(with: line) { return nil }
            if line.starts(with: field.utf8), ":\r\n".utf8.contains(line[line.startIndex + field.utf8.count]) {
                return true
            }
        }
        return false
    }
}

extension UnreadableBody {
    /// Creates the error for a complete response without events; returns nil if the response contains events.
    init?(withoutEvents reply: Reply, _ plan: Call.Plan) {
        let contentType = reply.headerFields[.contentType]
        guard !Events<Never>.MediaTypes.standard.contains(contentType) else { return nil }
        let isDeclared = plan.settings[Events<Never>.MediaTypes.self]?.contains(contentType) ?? false
        guard !isDeclared || EventStreamParser.isStream(beginningWith: reply.body) == false else { return nil }
        self.init(withoutEvents: contentType, plan)
    }

    /// Creates the error for a response without events.
    init(withoutEvents contentType: String?, _ plan: Call.Plan) {
        let body = contentType.map { "the body is \(MediaType($0).essence)" } ?? "the body has no media type"
        guard plan.settings[Events<Never>.MediaTypes.self]?.contains(contentType) != true else {
            self.init("\(body), and does not begin like server-sent events")
            return
        }
        let type = MediaType(contentType ?? "application/octet-stream").essence
        // Bodies of other types rarely contain events.
        let isVague = type == "text/plain" || type == "application/octet-stream"
        let advice = isVague ? "; if it contains events, declare Events.MediaTypes(\"\(type)\")" : ""
        self.init("\(body); events are text/event-stream\(advice)")
    }
}
