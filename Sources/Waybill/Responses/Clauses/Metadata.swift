/// A value beside the data in the body of a response, decoded in the same pass.
///
/// It is read from the response by its type:
///
/// ```swift
/// endpoint {
///     GET("products")
///     Envelope("data")
///     Metadata(Meta.self, at: "meta")
/// }
/// let response = try await shop.catalogue.response()
/// response.metadata(Meta.self)?.total
/// ```
///
/// A body without it is an ``APIError/DecodingFailure``, unless an optional type is declared.
public struct Metadata: RepeatableClause {
    package let extra: Extraction.SideValue
    package let path: [EnvelopeKey]
    package let type: ObjectIdentifier
    package let summary: String
    package let typeName: String

    /// The type of the value, for descriptions.
    package let valueType: any (Decodable & Sendable).Type

    /// Whether the value may be missing.
    package let isOptional: Bool

    /// Declares a value at a path; a path without steps is the whole body.
    public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey...) {
        extra = Extraction.SideValue(Value.self, at: path)
        self.path = path
        self.type = ObjectIdentifier(Value.self)
        typeName = "\(Value.self)"
        valueType = Value.self
        isOptional = false
        summary = "\(Value.self) at \(path.pathDescription)"
    }

    /// Declares a value at a path that may be missing.
    public init<Value: Decodable & Sendable>(_ type: Value?.Type, at path: EnvelopeKey...) {
        extra = Extraction.SideValue(ifPresent: Value.self, at: path)
        self.path = path
        self.type = ObjectIdentifier(Value.self)
        typeName = "\(Value.self)"
        valueType = Value.self
        isOptional = true
        summary = "\(Value.self), if there, at \(path.pathDescription)"
    }

    /// Declares the value.
    public func declare(in scope: inout Scope) { scope.declare(MetadataRules([self])) }
}

/// The metadata that a scope declares.
package struct MetadataRules: AccumulatingSetting {
    package static let clauseName = "Metadata"

    package let elements: [Metadata]

    package init(_ elements: [Metadata]) { self.elements = elements }

    /// Values of inner scopes come first: of two of a type the first one counts.
    package func merged(over outer: MetadataRules) -> MetadataRules { MetadataRules(elements + outer.elements) }

    package func joined(after earlier: MetadataRules) -> MetadataRules { MetadataRules(earlier.elements + elements) }

    package static func summary(of metadata: Metadata) -> String { metadata.summary }
}
