import Testing
import Waybill

/// A type and the schema that is expected of it.
struct SchemaTable: Sendable, CustomTestStringConvertible {
    let type: any (Decodable & SendableMetatype).Type
    let expected: String

    init(_ type: any (Decodable & SendableMetatype).Type, _ expected: String) {
        self.type = type
        self.expected = expected
    }

    var testDescription: String { "\(type)" }

    /// All types of the table.
    static var all: [SchemaTable] { scalars + synthesized + enums + initializers }
}
