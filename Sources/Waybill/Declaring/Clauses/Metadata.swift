/// A value that lies beside the data in the body of an answer, decoded in the same pass.
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
/// A body without it is a ``DecodingFailure``, unless an optional type is declared.
public struct Metadata: RepeatableClause {
    package let extra: Extraction.Extra
    package let type: ObjectIdentifier
    package let summary: String
    package let typeName: String

    /// Whether the value may be missing.
    package let isOptional: Bool

    /// A value at a path; a path without steps is the whole body.
    public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey...) {
        extra = Extraction.Extra(Value.self, at: path)
        self.type = ObjectIdentifier(Value.self)
        typeName = "\(Value.self)"
        isOptional = false
        summary = "\(Value.self) at \(path.pathDescription)"
    }

    /// A value at a path that may be missing.
    public init<Value: Decodable & Sendable>(_ type: Value?.Type, at path: EnvelopeKey...) {
        extra = Extraction.Extra(ifPresent: Value.self, at: path)
        self.type = ObjectIdentifier(Value.self)
        typeName = "\(Value.self)"
        isOptional = true
        summary = "\(Value.self), if there, at \(path.pathDescription)"
    }

    /// Declares the value.
    public func declare(in scope: inout Scope) { scope.declare(MetadataRules(rules: [self])) }
}

/// The metadata that a scope declares.
package struct MetadataRules: Setting {
    package let rules: [Metadata]

    package static var accumulates: Bool { true }

    package func merged(over farther: MetadataRules) -> MetadataRules {
        MetadataRules(rules: rules + farther.rules)
    }

    package func joined(after earlier: MetadataRules) -> MetadataRules { MetadataRules(rules: earlier.rules + rules) }

    package var summary: String { rules.map(\.summary).joined(separator: ", ") }
}
