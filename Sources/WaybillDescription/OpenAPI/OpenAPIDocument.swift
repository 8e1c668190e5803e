import Waybill
import WaybillSystem

/// An OpenAPI document of an API's calls: version 3.1, or 3.2 if one of them is a stream.
///
/// ```swift
/// try shop.openAPI(title: "Shop", version: "1").write(to: file)
/// ```
///
/// It is the same, byte for byte, each time it is made of the same declaration.
public struct OpenAPIDocument: Sendable, Hashable {
    /// The document as JSON.
    public let json: JSONValue

    init(json: JSONValue) { self.json = json }

    /// The document as text: indented, members in a fixed order, with a line break at the end.
    public var text: String { json.indented(first: Self.firstKeys) + "\n" }

    /// Writes the text to a file, which is replaced as a whole.
    ///
    /// - Throws: the error of the file system.
    public func write(to file: URL) throws { try Data(text.utf8).write(to: file, options: .atomic) }

    // What a reader looks for first, in the order of the specification's own examples.
    private static let firstKeys = [
        "openapi", "info", "servers", "tags", "security", "paths", "components", "name", "in", "operationId", "summary",
        "title", "description", "required", "parameters", "requestBody", "responses", "schema", "$ref", "type",
    ]
}

extension OpenAPIDocument: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}
