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

    /// The identity of the type of the value.
    package var id: ObjectIdentifier { ObjectIdentifier(extra.type) }

    /// Declares a value; a body without it is an error.
    ///
    /// - Parameters:
    ///   - type: the type of the value, by which the response returns it.
    ///   - path: the path of the value in the body; without steps, the whole body.
    public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey...) {
        extra = Extraction.SideValue(Value.self, at: path)
    }

    /// Declares a value that may be missing.
    ///
    /// - Parameters:
    ///   - type: the optional type of the value.
    ///   - path: the path of the value in the body; without steps, the whole body.
    public init<Value: Decodable & Sendable>(_ type: Value?.Type, at path: EnvelopeKey...) {
        extra = Extraction.SideValue(ifPresent: Value.self, at: path)
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

    package static func summary(of metadata: Metadata) -> String {
        let value = metadata.extra
        return "\(value.type)\(value.isRequired ? "" : ", if there,") at \(value.path.pathDescription)"
    }
}
