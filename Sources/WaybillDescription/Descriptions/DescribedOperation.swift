import Waybill

/// A call of a description in the terms of HTTP, as an OpenAPI document describes it.
package struct DescribedOperation {
    /// A value of the path, the query or the header fields.
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

    /// The content of a request.
    package struct Body {
        package var mediaType: String
        package var schema: JSONSchema
        package var example: JSONValue?
        package var parts: [String: String] = [:]
        /// Whether each request has it; a list may have one for its pages only.
        package var isRequired = true
    }

    /// The content of a response.
    package struct Response: Equatable {
        /// A status, or a class of statuses such as `4XX`.
        package var status: String
        package var description: String
        package var mediaType: String?
        package var schema: JSONSchema?
        /// Whether the schema is that of one item of a stream.
        package var isStream = false
        /// The header fields, whose values are URLs.
        package var urlFields: [String] = []
    }

    /// The plan of the call, with its example values.
    package let plan: Plan

    /// The id of the operation in a document.
    package var identifier: String

    /// The path below the base URL, with the names of its values in braces.
    package var path: String

    /// Whether the call goes to a URL that a server gave, and has no path.
    package var isAtURL: Bool
    package var tag: String?
    package var parameters: [Parameter]
    package var body: Body?
    package var responses: [Response]

    /// The shape of the responses; ``responses`` lists them for a document.
    package var shape: ResponseShape {
        didSet { responses = shape.responses }
    }

    /// The path with `{}` for its values, also if the call has a name.
    package var pathTemplate: String

    /// The declared name of the call; nil if it has none.
    package var callName: String? { plan.settings[CallName.self]?.name }

    /// The parts of the request that distinguish calls with the same path.
    package var features: RequestFeatures

    /// The place of the resource's entities and of their ids in the request; nil for an endpoint of its own.
    package var place: EntityPlace?

    /// The type of the entities of the resource.
    package var element: Any.Type?

    /// Whether the resource exists once.
    package var isSingleton: Bool

    /// The operation of the resource; nil for an endpoint of its own.
    package var operation: On.Operation?

    /// Whether the call is an operation of a listed resource, with generated values.
    package var isGenerated: Bool
    package var content: DescribedCall.Content
}
