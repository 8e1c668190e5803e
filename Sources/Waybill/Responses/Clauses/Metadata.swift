import WaybillJSON
import WaybillSystem

/// An additional value from a response, decoded from the body or a header field along with the main value.
///
/// To get it from the response, pass its type:
///
/// ```swift
/// endpoint {
///     GET("products")
///     Envelope("data")
///     Metadata(Meta.self, at: "meta")
///     Metadata(Int.self, field: "X-Total")
/// }
/// let response = try await shop.catalogue.response()
/// response.metadata(Meta.self)
/// response.metadata(Int.self)
/// ```
///
/// If the value is missing, the call throws an ``APIError/DecodingFailure``, unless the declared type is optional.
public struct Metadata: Scope.RepeatableClause {
    /// The location of the value.
    package enum Source: Sendable {
        case body(Extraction.SideValue)
        case field(FieldValue)
        /// No value: the values of outer scopes are discarded.
        case none
    }

    package let source: Source

    private init(source: Source) { self.source = source }

    /// Removes the metadata declared in outer scopes.
    public static let none = Metadata(source: .none)

    /// Declares a required value.
    ///
    /// - Parameters:
    ///   - type: the type of the value, which identifies it in the response.
    ///   - path: the path of the value in the body; empty for the whole body.
    public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey...) {
        source = .body(Extraction.SideValue(Value.self, at: path))
    }

    /// Declares an optional value.
    ///
    /// - Parameters:
    ///   - type: the optional type of the value.
    ///   - path: the path of the value in the body; empty for the whole body.
    public init<Value: Decodable & Sendable>(_ type: Value?.Type, at path: EnvelopeKey...) {
        source = .body(Extraction.SideValue(ifPresent: Value.self, at: path))
    }

    /// Declares a required value in a header field of successful responses.
    ///
    /// The field's text is decoded like a JSON string; if that fails, like a JSON number or Boolean. A `Date` can also
    /// be an HTTP date. Repeated fields are joined by commas.
    ///
    /// An invalid field name is a declaration error.
    ///
    /// - Parameters:
    ///   - type: the type of the value, which identifies it in the response.
    ///   - field: the case-insensitive name of the field. If a ``Secret`` clause names the field, error texts and
    ///     descriptions never contain its value.
    public init<Value: Decodable & Sendable>(_ type: Value.Type, field: String) {
        source = .field(FieldValue(Value.self, field, isRequired: true))
    }

    /// Declares an optional value in a header field of successful responses.
    ///
    /// The value is decoded like a required one. A field that fails to decode is an error.
    ///
    /// - Parameters:
    ///   - type: the optional type of the value.
    ///   - field: the case-insensitive name of the field.
    public init<Value: Decodable & Sendable>(_ type: Value?.Type, field: String) {
        source = .field(FieldValue(Value.self, field, isRequired: false))
    }

    /// Adds the value to a scope.
    ///
    /// - Parameter scope: the scope that declares the value.
    public func declare(in scope: inout Scope) {
        if case .field(let field) = source, HTTPField.Name(field.name) == nil {
            scope.declare(
                Scope.DeclarationError(
                    clause: "Metadata",
                    value: "\(field.type).self, field: \(field.name.debugDescription)",
                    reason: "no header field can have that name; give one such as \"X-Total\""
                )
            )
        }
        if case .none = source { scope.declare(MetadataRules.none) } else { scope.declare(MetadataRules([self])) }
    }
}

extension Metadata {
    /// A value in a header field.
    package struct FieldValue: Sendable {
        package let name: String
        package let type: any (Decodable & Sendable).Type

        /// Whether a missing field is an error.
        package let isRequired: Bool

        /// Decodes the value from the field's text.
        package let decode: @Sendable (String, any ResponseDecoder) throws -> any Sendable

        init<Value: Decodable & Sendable>(_ type: Value.Type, _ name: String, isRequired: Bool) {
            (self.type, self.name, self.isRequired) = (type, name, isRequired)
            decode = { text, decoder in try Self.value(Value.self, of: text, with: decoder) }
        }

        private static func value<Value: Decodable>(
            _ type: Value.Type,
            of text: String,
            with decoder: any ResponseDecoder
        ) throws -> Value {
            if let date = HTTPDate.date(from: text) as? Value { return date }
            // Other decoders may not support JSON.
            let isJSON = decoder is WaybillJSONDecoder || decoder is JSONDecoder
            let decoder = isJSON ? decoder : JSONDefaults.responseDecoder
            do {
                return try decoder.decode(Value.self, from: Data(JSONValue.string(text).description.utf8))
            } catch {
                switch try? JSONDefaults.decoder.decode(JSONValue.self, from: Data(text.utf8)) {
                case .bool?, .integer?, .number?, .double?, .numeral?:
                    return try decoder.decode(Value.self, from: Data(text.utf8))
                case .null?, .string?, .array?, .object?, nil: throw error
                }
            }
        }
    }
}

/// The metadata declared by a scope.
package struct MetadataRules: ReplacingSetting {
    package static let clauseName = "Metadata"

    package let elements: [Metadata]

    package let replacesOuter: Bool

    /// The values in the body, inner scopes first.
    package let bodyValues: [Extraction.SideValue]

    /// The values in header fields, inner scopes first.
    package let fieldValues: [Metadata.FieldValue]

    package init(_ elements: [Metadata], replacesOuter: Bool) {
        self.elements = elements
        self.replacesOuter = replacesOuter
        bodyValues = elements.compactMap { if case .body(let value) = $0.source { value } else { nil } }
        fieldValues = elements.compactMap { if case .field(let value) = $0.source { value } else { nil } }
    }

    /// Merges the values, inner scopes first; if two have the same type, the first wins.
    package func merged(over outer: MetadataRules) -> MetadataRules {
        replacesOuter ? self : MetadataRules(elements + outer.elements, replacesOuter: outer.replacesOuter)
    }

    package static func summary(of metadata: Metadata) -> String {
        switch metadata.source {
        case .body(let value):
            "\(value.type)\(value.isRequired ? "" : ", if present,") at \(value.path.pathDescription)"
        case .field(let value): "\(value.type)\(value.isRequired ? "" : ", if present,") in the field \(value.name)"
        case .none: "none"
        }
    }
}
