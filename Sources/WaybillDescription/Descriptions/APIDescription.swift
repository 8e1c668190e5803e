import Waybill
import WaybillSystem

/// The calls of an API with example values, used to generate OpenAPI documents, mock servers and comparisons.
///
/// An app lists its resources and endpoints in ``DescribedAPI/calls``. A listed resource represents all operations
/// allowed by its capabilities.
public struct APIDescription: Sendable {
    /// A closure that returns the calls of one part of the list, using a library of schemas.
    package typealias Part = @Sendable (SchemaLibrary) -> [DescribedCall]

    package let parts: [Part]

    /// The bodies that supply values if an initializer rejects the generated ones.
    let samples: [Samples]

    package init(parts: [Part], samples: [Samples] = []) {
        self.parts = parts
        self.samples = samples
    }

    private init(_ context: ResourceContext, _ element: Any.Type, _ access: Any.Type, isSingleton: Bool) {
        let calls = ResourceCalls(context: context, element: element, access: access, isSingleton: isSingleton)
        self.init(parts: [{ calls.all(in: $0) }])
    }

    private init(_ descriptions: [APIDescription]) {
        self.init(parts: descriptions.flatMap(\.parts), samples: descriptions.flatMap(\.samples))
    }

    /// The result builder for ``DescribedAPI/calls``.
    @resultBuilder
    public enum Builder {
        /// Adds an endpoint.
        ///
        /// - Parameter endpoint: the endpoint, with example values in its path, query and body.
        /// - Returns: a description with one call.
        public static func buildExpression<Value>(_ endpoint: Endpoint<Value>) -> APIDescription {
            APIDescription(parts: [{ _ in [DescribedCall(endpoint)] }])
        }

        /// Adds the operations allowed by a resource's capabilities.
        ///
        /// - Parameter resource: the resource. Ids and bodies are generated.
        /// - Returns: a description with one call for each operation.
        public static func buildExpression<Element, Access>(_ resource: Resource<Element, Access>) -> APIDescription {
            APIDescription(resource.endpoints.context, Element.self, Access.self, isSingleton: false)
        }

        /// Adds the operations allowed by a singleton's capabilities.
        ///
        /// - Parameter singleton: the singleton. Bodies are generated.
        /// - Returns: a description with one call for each operation.
        public static func buildExpression<Element, Access>(_ singleton: Singleton<Element, Access>) -> APIDescription {
            APIDescription(singleton.endpoints.context, Element.self, Access.self, isSingleton: true)
        }

        /// Adds bodies that supply values if an initializer rejects the generated ones.
        ///
        /// - Parameter samples: the bodies. They apply to the types of all listed calls.
        /// - Returns: a description without calls.
        public static func buildExpression(_ samples: Samples) -> APIDescription {
            APIDescription(parts: [], samples: [samples])
        }

        /// Adds calls listed elsewhere.
        ///
        /// - Parameter description: the calls, such as those of one part of the API.
        /// - Returns: the same description.
        public static func buildExpression(_ description: APIDescription) -> APIDescription { description }

        /// Combines the parts of a block.
        ///
        /// - Parameter parts: the parts, in order.
        /// - Returns: a description with the calls and samples of all parts.
        public static func buildBlock(_ parts: APIDescription...) -> APIDescription {
            APIDescription(parts)
        }

        /// Combines the parts of a loop.
        ///
        /// - Parameter parts: the parts, one for each iteration.
        /// - Returns: a description with the calls and samples of all parts.
        public static func buildArray(_ parts: [APIDescription]) -> APIDescription {
            APIDescription(parts)
        }

        /// Adds a part if a condition holds.
        ///
        /// - Parameter part: the part; nil if the condition does not hold.
        /// - Returns: the part, or an empty description.
        public static func buildOptional(_ part: APIDescription?) -> APIDescription {
            part ?? APIDescription(parts: [])
        }

        /// Adds the first branch of a condition.
        ///
        /// - Parameter part: the part of the first branch.
        /// - Returns: the same part.
        public static func buildEither(first part: APIDescription) -> APIDescription { part }

        /// Adds the second branch of a condition.
        ///
        /// - Parameter part: the part of the second branch.
        /// - Returns: the same part.
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

extension APIDescription {
    /// An error thrown if calls cannot be planned with their example values, or if samples are not JSON.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The errors of the calls, each naming the invalid clauses.
        public let errors: [APIError]

        /// A message for each ``Samples`` document that is not JSON.
        public let sampleProblems: [String]

        package init(errors: [APIError], sampleProblems: [String] = []) {
            self.errors = errors
            self.sampleProblems = sampleProblems
        }

        /// The errors or sample problems, one per line.
        public var description: String {
            guard sampleProblems.isEmpty else { return sampleProblems.joined(separator: "\n") }
            let calls = errors.count == 1 ? "1 call" : "\(errors.count) calls"
            return "\(calls) in the description cannot be planned:\n" + errors.map { "- \($0)" }.joined(separator: "\n")
        }
    }
}

extension APIDescription {
    /// Bodies of real responses that supply values if an initializer rejects the generated ones.
    ///
    /// ```swift
    /// var calls: APIDescription {
    ///     accounts
    ///     APIDescription.Samples(recordedAccount)     // an initializer checks the IBAN
    /// }
    /// ```
    ///
    /// A value is tried for members with the same key, and for any scalar outside an object. If values must be
    /// consistent with each other, only those in the first body that contains them are tried together. Accepted values
    /// become examples of the schema, and therefore appear in OpenAPI documents.
    public struct Samples: Sendable {
        let documents: [Data]

        /// Creates samples.
        ///
        /// - Parameter documents: the bodies, as JSON. If one is not JSON, functions that read the description throw
        ///   ``APIDescription/Failure``.
        public init(_ documents: Data...) { self.documents = documents }
    }
}

extension APIDescription {
    /// Returns the operations of all listed calls in order, and the errors of omitted calls.
    ///
    /// Resource operations that cannot be planned are omitted, because the app cannot call them either.
    ///
    /// - Throws: ``APIDescription/Failure`` with the errors of individually listed endpoints, or with all errors if no
    ///   call can be planned.
    func plannedOperations(
        in library: SchemaLibrary
    ) throws(Failure) -> (operations: [DescribedOperation], omitted: [APIError]) {
        var errors: [APIError] = []
        var omitted: [APIError] = []
        var operations: [DescribedOperation] = []
        for call in parts.flatMap({ $0(library) }) {
            do throws(APIError) {
                operations.append(try DescribedOperation(call, in: library))
            } catch {
                if call.operation == nil { errors.append(error) } else { omitted.append(error) }
            }
        }
        guard errors.isEmpty else { throw Failure(errors: errors) }
        guard !operations.isEmpty || omitted.isEmpty else { throw Failure(errors: omitted) }
        return (operations, omitted)
    }

    /// Returns a schema library that uses the description's samples.
    ///
    /// - Throws: ``APIDescription/Failure`` if samples are not JSON.
    package func library() throws(Failure) -> SchemaLibrary {
        var values: [JSONValue] = []
        var problems: [String] = []
        for (index, document) in samples.flatMap(\.documents).enumerated() {
            do {
                values.append(try JSONDefaults.decoder.decode(JSONValue.self, from: document))
            } catch {
                problems.append("sample body \(index + 1) is not JSON: \(WaybillJSONDecoder.Diagnosis.text(of: error))")
            }
        }
        guard problems.isEmpty else { throw Failure(errors: [], sampleProblems: problems) }
        return SchemaLibrary(samples: values)
    }
}

/// The schemas of an API's types, each learned once per decoder.
package final class SchemaLibrary {
    private var probes: [(conventions: DecodingConventions.Identity, probe: TypeProbe)] = []
    private let names = TypeNames()

    private let samples: SampleValues

    /// Creates a library.
    ///
    /// - Parameter samples: bodies of real responses.
    package init(samples: [JSONValue] = []) { self.samples = SampleValues(samples) }

    /// The schema definitions, keyed by name.
    package var definitions: [String: JSONSchema] {
        probes.reduce(into: [:]) { all, entry in all.merge(entry.probe.definitions) { first, _ in first } }
    }

    /// Returns the schema of a type, as read by a call's decoder.
    package func schema(of type: any Decodable.Type, _ settings: Scope.Settings) -> JSONSchema {
        probe(for: settings).schema(of: type)
    }

    /// Returns the probe for a call's decoder.
    func probe(for settings: Scope.Settings) -> TypeProbe {
        let decoder = settings[Decode.self]?.decoder ?? JSONSchema.Document.usualDecoder
        let conventions = DecodingConventions.Identity(of: decoder)
        if let known = probes.first(where: { $0.conventions == conventions }) { return known.probe }
        let probe = TypeProbe(conventions: DecodingConventions(of: decoder), names: names, samples: samples)
        probes.append((conventions, probe))
        return probe
    }
}
