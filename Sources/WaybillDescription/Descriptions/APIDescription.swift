import Waybill
import WaybillSystem

/// The calls of an API, with example values: what its OpenAPI document, its mock server and its comparisons read.
///
/// An app lists its resources and its endpoints, in ``DescribedAPI/calls``. A resource stands for all operations that
/// its capabilities allow.
public struct APIDescription: Sendable {
    /// A part of the list, which gives its calls once the schemas of types can be learned.
    package typealias Part = @Sendable (SchemaLibrary) -> [DescribedCall]

    package let parts: [Part]

    /// The bodies whose values are tried if an initializer rejects the generated ones.
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

    /// The result builder of ``DescribedAPI/calls``.
    @resultBuilder
    public enum Builder {
        /// Adds an endpoint.
        ///
        /// - Parameter endpoint: the endpoint, whose path, query and body have example values.
        /// - Returns: a description of the one call.
        public static func buildExpression<Value>(_ endpoint: Endpoint<Value>) -> APIDescription {
            APIDescription(parts: [{ _ in [DescribedCall(endpoint)] }])
        }

        /// Adds the operations of a resource that its capabilities allow.
        ///
        /// - Parameter resource: the resource; its ids and bodies are generated.
        /// - Returns: a description of all of its operations.
        public static func buildExpression<Element, Access>(_ resource: Resource<Element, Access>) -> APIDescription {
            APIDescription(resource.endpoints.context, Element.self, Access.self, isSingleton: false)
        }

        /// Adds the operations of a singleton that its capabilities allow.
        ///
        /// - Parameter singleton: the singleton; its bodies are generated.
        /// - Returns: a description of all of its operations.
        public static func buildExpression<Element, Access>(_ singleton: Singleton<Element, Access>) -> APIDescription {
            APIDescription(singleton.endpoints.context, Element.self, Access.self, isSingleton: true)
        }

        /// Adds bodies, whose values are tried if an initializer rejects the generated ones.
        ///
        /// - Parameter samples: the bodies, for the types of all listed calls.
        /// - Returns: a description without calls.
        public static func buildExpression(_ samples: Samples) -> APIDescription {
            APIDescription(parts: [], samples: [samples])
        }

        /// Adds calls that are listed elsewhere.
        ///
        /// - Parameter description: the calls, such as those of a part of the API.
        /// - Returns: the same description.
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

extension APIDescription {
    /// Calls of a description that cannot be planned with their example values, or samples that cannot be read.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The error of each call, with the clauses that are wrong.
        public let errors: [APIError]

        /// The problem of each ``Samples`` document that is not JSON.
        public let sampleProblems: [String]

        package init(errors: [APIError], sampleProblems: [String] = []) {
            self.errors = errors
            self.sampleProblems = sampleProblems
        }

        /// The errors, one a line.
        public var description: String {
            guard sampleProblems.isEmpty else { return sampleProblems.joined(separator: "\n") }
            let calls = errors.count == 1 ? "1 call" : "\(errors.count) calls"
            return "\(calls) of the description cannot be planned:\n" + errors.map { "- \($0)" }.joined(separator: "\n")
        }
    }
}

extension APIDescription {
    /// Bodies of real responses, whose values are tried if an initializer rejects the generated ones.
    ///
    /// ```swift
    /// var calls: APIDescription {
    ///     accounts
    ///     APIDescription.Samples(recordedAccount)     // an initializer checks the IBAN
    /// }
    /// ```
    ///
    /// A value is tried for the members of its key, or for every scalar of a type that stands alone. Values that have
    /// to fit together are taken from the first body that has them. An accepted value becomes an example of the schema,
    /// and so part of an OpenAPI document.
    public struct Samples: Sendable {
        let documents: [Data]

        /// Creates samples.
        ///
        /// - Parameter documents: JSON documents; one that is not JSON is an ``APIDescription/Failure`` of the
        ///   description.
        public init(_ documents: Data...) { self.documents = documents }
    }
}

extension APIDescription {
    /// Returns the operations of all listed calls, in their order, and the errors of those that are left out.
    ///
    /// An operation of a listed resource that cannot be planned is left out, because the app never calls it: the others
    /// are described.
    ///
    /// - Throws: ``APIDescription/Failure`` with the errors of listed endpoints that cannot be planned, or of all
    ///   operations if none can be.
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

    /// Returns a library of schemas, which uses the samples of the description.
    ///
    /// - Throws: ``APIDescription/Failure`` with the samples that are not JSON.
    package func library() throws(Failure) -> SchemaLibrary {
        var values: [JSONValue] = []
        var problems: [String] = []
        for (index, document) in samples.flatMap(\.documents).enumerated() {
            do {
                values.append(try JSONDefaults.decoder.decode(JSONValue.self, from: document))
            } catch {
                problems.append("sample body \(index + 1) is not JSON: \(JSONDiagnosis.text(of: error))")
            }
        }
        guard problems.isEmpty else { throw Failure(errors: [], sampleProblems: problems) }
        return SchemaLibrary(samples: values)
    }
}

/// The schemas of an API's types, each learned once for the decoder that reads it.
package final class SchemaLibrary {
    private var probes: [(rules: DecodingConventions.Identity, probe: TypeProbe)] = []
    private let names = TypeNames()

    private let samples: SampleValues

    /// Creates a library.
    ///
    /// - Parameter samples: bodies of real responses.
    package init(samples: [JSONValue] = []) { self.samples = SampleValues(samples) }

    /// The schemas that others refer to, by their names.
    package var definitions: [String: JSONSchema] {
        probes.reduce(into: [:]) { all, entry in all.merge(entry.probe.definitions) { first, _ in first } }
    }

    /// Returns the schema of a type, by the decoder of a call.
    package func schema(of type: any Decodable.Type, _ settings: Scope.Settings) -> JSONSchema {
        probe(for: settings).schema(of: type)
    }

    /// Returns the probe for the decoder of a call.
    func probe(for settings: Scope.Settings) -> TypeProbe {
        let decoder = settings[Decode.self]?.decoder ?? JSONSchema.Document.usualDecoder
        let rules = DecodingConventions.Identity(of: decoder)
        if let known = probes.first(where: { $0.rules == rules }) { return known.probe }
        let probe = TypeProbe(conventions: DecodingConventions(of: decoder), names: names, samples: samples)
        probes.append((rules, probe))
        return probe
    }
}
