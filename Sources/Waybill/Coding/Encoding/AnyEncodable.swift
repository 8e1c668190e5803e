/// A type-erased value that can be encoded.
package struct AnyEncodable: Encodable, Sendable {
    private let value: any Encodable & Sendable

    /// Erases a value's type.
    package init(_ value: any Encodable & Sendable) { self.value = value }

    // Through a container, because only there does an encoder apply its strategies to a date or to data.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
