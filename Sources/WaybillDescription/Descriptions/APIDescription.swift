import Waybill

/// The calls of an API, with example values: what its OpenAPI document, its mock server and its comparisons read.
///
/// An app lists its resources and its endpoints, in ``DescribedAPI/calls``. A resource stands for all operations that
/// its capabilities allow.
public struct APIDescription: Sendable {
    /// A part of the list, which gives its calls once the schemas of types can be learned.
    package typealias Part = @Sendable (SchemaLibrary) -> [DescribedCall]

    package let parts: [Part]

    /// The bodies whose values initializers are tried with.
    let samples: [SampleBodies]

    package init(parts: [Part], samples: [SampleBodies] = []) {
        self.parts = parts
        self.samples = samples
    }

    private init(_ descriptions: [APIDescription]) {
        self.init(parts: descriptions.flatMap(\.parts), samples: descriptions.flatMap(\.samples))
    }

    /// Collects the calls of an API.
    @resultBuilder
    public enum Builder {
        /// Adds an endpoint.
        public static func buildExpression<Value>(_ endpoint: Endpoint<Value>) -> APIDescription {
            APIDescription(parts: [{ _ in [DescribedCall(endpoint)] }])
        }

        /// Adds the operations of a resource that its capabilities allow.
        public static func buildExpression<Element, Access>(_ resource: Resource<Element, Access>) -> APIDescription {
            let calls = ResourceCalls(resource.endpoints.context, Element.self, Access.self, isSingleton: false)
            return APIDescription(parts: [{ calls.all(in: $0) }])
        }

        /// Adds the operations of a singleton that its capabilities allow.
        public static func buildExpression<Element, Access>(_ singleton: Singleton<Element, Access>) -> APIDescription {
            let calls = ResourceCalls(singleton.endpoints.context, Element.self, Access.self, isSingleton: true)
            return APIDescription(parts: [{ calls.all(in: $0) }])
        }

        /// Adds bodies, whose values are tried where an initializer rejects those that are made up.
        public static func buildExpression(_ samples: SampleBodies) -> APIDescription {
            APIDescription(parts: [], samples: [samples])
        }

        /// Adds calls that are listed elsewhere.
        public static func buildExpression(_ description: APIDescription) -> APIDescription { description }

        /// Joins the parts.
        public static func buildBlock(_ parts: APIDescription...) -> APIDescription {
            APIDescription(parts)
        }

        /// Joins the parts of a loop.
        public static func buildArray(_ parts: [APIDescription]) -> APIDescription {
            APIDescription(parts)
        }

        /// Adds a part on a condition.
        public static func buildOptional(_ part: APIDescription?) -> APIDescription {
            part ?? APIDescription(parts: [])
        }

        /// Adds the first of two parts.
        public static func buildEither(first part: APIDescription) -> APIDescription { part }

        /// Adds the second of two parts.
        public static func buildEither(second part: APIDescription) -> APIDescription { part }
    }
}

/// An API that lists its calls.
///
/// ```swift
/// extension Shop: DescribedAPI {
///     var calls: APIDescription {
///         products
///         search("lamp")
///     }
/// }
/// ```
public protocol DescribedAPI: API {
    /// The resources and endpoints of the API, with example values.
    @APIDescription.Builder var calls: APIDescription { get }
}
