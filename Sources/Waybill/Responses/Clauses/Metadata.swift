/// An additional value in a response's body, decoded in the same pass as the main value.
///
/// To get it from the response, pass its type:
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
/// If the value is missing, the call throws an ``APIError/DecodingFailure``, unless the declared type is optional.
public struct Metadata: RepeatableClause {
    package let extra: Extraction.SideValue

    /// The identity of the value's type.
    package var id: ObjectIdentifier { ObjectIdentifier(extra.type) }

    /// Declares a required value.
    ///
    /// - Parameters:
    ///   - type: the type of the value, which identifies it in the response.
    ///   - path: the path of the value in the body; without keys, the whole body.
    public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey...) {
        extra = Extraction.SideValue(Value.self, at: path)
    }

    /// Declares an optional value.
    ///
    /// - Parameters:
    ///   - type: the optional type of the value.
    ///   - path: the path of the value in the body; without keys, the whole body.
    public init<Value: Decodable & Sendable>(_ type: Value?.Type, at path: EnvelopeKey...) {
        extra = Extraction.SideValue(ifPresent: Value.self, at: path)
    }

    /// Adds the value to a scope.
    ///
    /// - Parameter scope: the scope that declares the value.
    public func declare(in scope: inout Scope) { scope.declare(MetadataRules([self])) }
}

/// The metadata declared by a scope.
package struct MetadataRules: AccumulatingSetting {
    package static let clauseName = "Metadata"

    package let elements: [Metadata]

    package init(_ elements: [Metadata]) { self.elements = elements }

    /// Merges the values, inner scopes first; if two have the same type, the first wins.
    package func merged(over outer: MetadataRules) -> MetadataRules { MetadataRules(elements + outer.elements) }

    package func joined(after earlier: MetadataRules) -> MetadataRules { MetadataRules(earlier.elements + elements) }

    package static func summary(of metadata: Metadata) -> String {
        let value = metadata.extra
        return "\(value.type)\(value.isRequired ? "" : ", if there,") at \(value.path.pathDescription)"
    }
}
