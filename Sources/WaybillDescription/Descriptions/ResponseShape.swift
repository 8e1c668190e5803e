import Waybill

/// The shape of a call's responses, derived from all clauses of its declaration.
///
/// Documents, mock servers and comparisons share it, so that they agree on the responses.
package struct ResponseShape: Equatable {
    /// The form of a success body.
    package enum Form: Hashable {
        /// No body, or a body that the call does not read.
        case none
        /// A value, in the format of the declared decoder.
        case value
        /// The whole body as a string.
        case text
        /// The whole body as bytes.
        case bytes
        /// Server-sent events, each with a value as its data.
        case events
        /// A sequence of JSON texts, such as lines, with one value each.
        case sequence(Decode.StreamFormat.Form)
    }

    /// The part of an entity contained in the response to a write.
    package enum Extent: Hashable {
        /// All members.
        case whole
        /// All members, or no body.
        case wholeOrNothing
        /// Some of the members, or no body.
        case partial
        /// Any part. The call ignores the body, because a separate request fetches the entity.
        case unread
        /// The id at a path. A separate request fetches the entity with this id.
        case id(at: [EnvelopeKey])
    }

    /// A declared problem, with the statuses it applies to.
    package struct Problem: Equatable {
        /// The statuses in OpenAPI notation, such as `404` or `4XX`.
        package let statuses: [String]

        /// The declared media types; empty for the default one.
        package let mediaTypes: [String]

        /// The schema of the body.
        package let schema: JSONSchema

        /// Whether the body is plain text instead of JSON.
        package let isText: Bool
    }

    /// A status with the same meaning as another one.
    package struct Equivalent: Equatable {
        /// The status in OpenAPI notation.
        package let status: String

        /// The status with the same meaning.
        package let meaning: HTTPResponse.Status
    }

    /// The success statuses in OpenAPI notation.
    package var statuses: [String]

    /// Whether the success statuses are declared, instead of being the default ones.
    package var declaresStatuses: Bool

    /// The form of the body.
    package var form: Form

    /// The part of the entity contained in the body.
    package var extent: Extent

    /// The media type of the body; nil for a call that reads no body.
    package var mediaType: String?

    /// Other media types that the call reads.
    package var otherMediaTypes: [String] = []

    /// Whether the media type is declared, so that the call reads no other.
    package var declaresMediaType: Bool

    /// The schema of the value in its envelope, or of one stream item; nil for a call that reads none.
    package var schema: JSONSchema?

    /// The schema of a body with some of the members; nil unless the extent is ``Extent/partial``.
    package var partialSchema: JSONSchema?

    /// Whether the call accepts an empty body.
    package var acceptsEmptyBody: Bool

    /// The response that starts a long-running operation; nil if the response is the result.
    package var accepted: DescribedOperation.Response?

    /// The declared problems, in the order in which they are tried.
    package var problems: [Problem]

    /// The statuses with the same meaning as another one.
    package var equivalents: [Equivalent] = []

    /// The header fields that the call reads from a success response, without duplicate names.
    package var fields: [DescribedOperation.Field] = []
}

extension ResponseShape {
    /// Whether the body is a stream of items, each described by the schema.
    package var isStream: Bool {
        switch form {
        case .events, .sequence: true
        case .none, .value, .text, .bytes: false
        }
    }

    /// Whether the call reads a body of any media type.
    package var readsAnyMediaType: Bool { (form == .bytes || form == .text) && !declaresMediaType }

    /// The responses for an OpenAPI document, success responses first.
    var responses: [DescribedOperation.Response] {
        var responses = successes
        if let accepted { responses.append(accepted) }
        for problem in problems { Self.add(problem, to: &responses) }
        for equivalent in equivalents where !responses.contains(where: { $0.status == equivalent.status }) {
            responses.append(.init(status: equivalent.status, description: "Same meaning as \(equivalent.meaning)"))
        }
        return responses
    }

    private var successes: [DescribedOperation.Response] {
        var responses = statuses.map { status in
            var response = DescribedOperation.Response(status: status, description: "Success")
            response.fields = fields
            if extent == .unread {
                response.description = "Success; a separate request fetches the entity"
            } else {
                if case .id = extent { response.description = "Success; a separate request fetches the entity by id" }
                response.mediaType = mediaType
                response.schema = partialSchema ?? schema
                response.isStream = isStream
            }
            return response
        }
        if !needsBody, !declaresStatuses, !statuses.contains("204") {
            responses.append(.init(status: "204", description: "Success without a body", fields: fields))
        }
        return responses
    }

    /// Whether the extent requires a body.
    package var needsBody: Bool {
        switch extent {
        case .whole, .id: true
        case .wholeOrNothing, .partial, .unread: false
        }
    }

    /// Adds a problem to each of its statuses.
    ///
    /// In a document, an exact status takes precedence over its class. A problem declared for all success statuses is
    /// therefore added to each of them as an alternative body.
    private static func add(_ problem: Problem, to responses: inout [DescribedOperation.Response]) {
        for status in problem.statuses {
            var targets = [status]
            if status == "2XX" {
                targets = responses.map(\.status).filter { $0.hasPrefix("2") && $0 != "204" }.uniqued
                // A response without content cannot contain a problem.
                if targets.isEmpty { targets = ["200"] }
            }
            for target in targets { add(problem, at: target, to: &responses) }
        }
    }

    private static func add(
        _ problem: Problem,
        at status: String,
        to responses: inout [DescribedOperation.Response]
    ) {
        let isSuccess = status.hasPrefix("2")
        let success = responses.lazy.filter { $0.status == status && isSuccess }.compactMap(\.mediaType).first
        let document = success.flatMap {
            MediaType($0).isJSON || Decode.StreamFormat.Form($0) != .array ? $0 : nil
        }
        let usual = problem.isText ? "text/plain" : document ?? "application/json"
        for mediaType in problem.mediaTypes.isEmpty ? [usual] : problem.mediaTypes {
            let index = responses.firstIndex {
                $0.status == status && ($0.mediaType ?? mediaType) == mediaType
            }
            guard let index else {
                responses.append(added(problem, status, mediaType, to: responses))
                continue
            }
            // The first type that decodes wins. The body of an unread success can be anything.
            let other = responses[index].schema ?? (isSuccess ? JSONSchema(.any) : nil)
            responses[index].schema = other?.union(problem.schema) ?? problem.schema
            responses[index].mediaType = mediaType
        }
    }

    /// Returns a new response with a problem as its body, or as an alternative to the body of the 2XX response.
    private static func added(
        _ problem: Problem,
        _ status: String,
        _ mediaType: String,
        to responses: [DescribedOperation.Response]
    ) -> DescribedOperation.Response {
        var response = DescribedOperation.Response(
            status: status,
            description: "A problem",
            mediaType: mediaType,
            schema: problem.schema
        )
        let isKnown = responses.contains { $0.status == status }
        if !isKnown, status.hasPrefix("2"), let success = responses.first(where: { $0.status == "2XX" }),
            success.mediaType == nil || success.mediaType == mediaType
        {
            response.description = success.description
            response.isStream = success.isStream
            response.schema = (success.schema ?? JSONSchema(.any)).union(problem.schema)
        }
        return response
    }
}

extension HTTPResponse.StatusSet {
    /// The statuses in OpenAPI notation: `404`, or `4XX` for more than 20 statuses of a class.
    var openAPIKeys: [String] {
        var keys: [String] = []
        for (hundred, codes) in Dictionary(grouping: codes, by: { $0 / 100 }).sorted(by: { $0.key < $1.key }) {
            if codes.count > 20 { keys.append("\(hundred)XX") } else { keys += codes.map(String.init) }
        }
        return keys
    }
}
