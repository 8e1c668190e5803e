import Waybill

/// A described call as an HTTP operation, in the terms of an OpenAPI document.
package struct DescribedOperation {
    /// A parameter in the path, the query or the header fields.
    package struct Parameter: Equatable {
        package enum Place: String {
            case path, query, header
        }

        package var name: String
        package var place: Place
        package var schema: JSONSchema
        package var isRequired: Bool
        package var isExploded = true
        package var example: JSONValue?
    }

    /// The body of a request.
    package struct Body {
        package var mediaType: String
        package var schema: JSONSchema
        package var example: JSONValue?
        package var parts: [String: String] = [:]
        /// Whether every request has the body; false if only pagination needs it.
        package var isRequired = true
    }

    /// A response for one status and media type.
    package struct Response: Equatable {
        /// A status, or a class of statuses such as `4XX`.
        package var status: String
        package var description: String
        package var mediaType: String?
        package var schema: JSONSchema?
        /// Whether the schema describes one item of a stream.
        package var isStream = false
        /// The names of header fields that contain URLs.
        package var urlFields: [String] = []
        /// The header fields that the call reads as metadata.
        package var fields: [Field] = []
    }

    /// A header field of a response.
    package struct Field: Equatable {
        package let name: String
        package let schema: JSONSchema
        package let isRequired: Bool
    }

    /// The plan of the call, with example values.
    package let plan: Call.Plan

    /// The operation identifier in a document.
    package var identifier: String

    /// The path relative to the base URL, with parameter names in braces.
    package var path: String

    /// Whether the call uses a URL supplied by the server, and therefore has no path.
    package var isAtURL: Bool
    package var tag: String?
    package var parameters: [Parameter]
    package var body: Body?
    package var responses: [Response]

    /// The shape of the responses, from which ``responses`` is derived.
    package var shape: ResponseShape {
        didSet { responses = shape.responses }
    }

    /// The path with `{}` in place of values, even for a named call.
    package var pathTemplate: String

    /// The declared name of the call.
    package var callName: String? { plan.settings[Call.Name.self]?.name }

    /// The parts of the request that distinguish calls with the same path.
    package var features: RequestFeatures

    /// The location of the resource's entities and ids; nil for an endpoint outside a resource.
    package var place: EntityPlace?

    /// The entity type of the resource.
    package var element: Any.Type?

    /// Whether the resource is a singleton.
    package var isSingleton: Bool

    /// The resource operation; nil for an endpoint outside a resource.
    package var operation: On.Operation?

    /// Whether the call was generated from a listed resource.
    package var isGenerated: Bool
    package var content: DescribedCall.Content
}
