import Waybill
import WaybillSystem

/// An OpenAPI document, generated from the calls of an API or parsed from JSON.
///
/// ```swift
/// try shop.openAPI(title: "Shop", version: "1").write(to: file)
/// ```
///
/// A generated document has version 3.1, or 3.2 if a call returns a stream or uses a method that 3.1 cannot describe,
/// such as QUERY. The same declaration always produces the same text, byte for byte.
public struct OpenAPIDocument: Sendable, Hashable {
    /// The document as JSON.
    public let json: JSONValue

    init(json: JSONValue) { self.json = json }

    /// The document as indented text with members in a fixed order, ending with a line break.
    public var text: String { json.indented(first: Self.firstKeys) + "\n" }

    /// Writes the text to a file.
    ///
    /// - Parameter file: the file URL. An existing file is replaced atomically.
    /// - Throws: the error of the file system.
    public func write(to file: URL) throws { try Data(text.utf8).write(to: file, options: .atomic) }

    // These members come first, in the order used by the examples of the specification.
    private static let firstKeys = [
        "openapi", "info", "servers", "tags", "security", "paths", "components", "name", "in", "operationId", "summary",
        "title", "description", "required", "parameters", "requestBody", "responses", "schema", "$ref", "type",
    ]
}

extension OpenAPIDocument: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}

extension OpenAPIDocument {
    /// Parses a document.
    ///
    /// - Parameter data: an OpenAPI 3.0, 3.1 or 3.2 or Swagger 2.0 document as JSON. YAML is not supported.
    /// - Throws: ``OpenAPIDocument/Failure`` if the data is not JSON, or not a document of one of these versions.
    public init(_ data: Data) throws(OpenAPIDocument.Failure) {
        let json: JSONValue
        do {
            json = try WaybillJSONDecoder().decode(JSONValue.self, from: data)
        } catch {
            throw OpenAPIDocument.Failure(
                place: "",
                reason: "it is not JSON: \(WaybillJSONDecoder.Diagnosis.text(of: error))"
            )
        }
        try self.init(json)
    }

    /// Creates a document from decoded JSON.
    ///
    /// - Parameter json: the root of an OpenAPI 3.0, 3.1 or 3.2 or Swagger 2.0 document.
    /// - Throws: ``OpenAPIDocument/Failure`` if the value is not a document of one of these versions.
    public init(_ json: JSONValue) throws(OpenAPIDocument.Failure) {
        guard json.objectValue != nil else {
            throw OpenAPIDocument.Failure(place: "#", reason: "the document is not an object")
        }
        let key = json["openapi"] == nil ? "swagger" : "openapi"
        guard let version = json[key] else {
            throw OpenAPIDocument.Failure(
                place: "#",
                reason: "the version is missing: there is neither a member \"openapi\" nor \"swagger\""
            )
        }
        let known = key == "openapi" ? ["3.0", "3.1", "3.2"] : ["2.0"]
        guard let text = version.stringValue, known.contains(where: { text == $0 || text.hasPrefix($0 + ".") }) else {
            throw OpenAPIDocument.Failure(
                place: "#/\(key)",
                reason: "the version is \(version); the supported versions are 2.0, 3.0, 3.1 and 3.2"
            )
        }
        guard json["paths"]?.objectValue != nil || text.hasPrefix("3.1") || text.hasPrefix("3.2") else {
            throw OpenAPIDocument.Failure(place: "#/paths", reason: "it has no paths")
        }
        self.init(json: json)
    }
}

extension OpenAPIDocument {
    /// An error thrown for data that is not an OpenAPI document of a supported version.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The location of the problem as a JSON Pointer fragment, such as `#/paths`; empty if the data is not JSON.
        public let place: String

        /// The reason, without the location.
        public let reason: String

        /// The location and the reason.
        public var description: String {
            place.isEmpty
                ? "The document cannot be read: \(reason)" : "The document cannot be read at \(place): \(reason)"
        }
    }
}

extension JSONValue {
    /// Returns the value as indented text.
    ///
    /// - Parameter first: the keys that come first in each object, in this order. All others follow, sorted by name.
    /// - Returns: the text, without a trailing line break.
    package func indented(first: [String] = []) -> String {
        let ranks = Dictionary(first.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        var text = ""
        write(to: &text, indent: "", ranks)
        return text
    }

    private func write(to text: inout String, indent: String, _ ranks: [String: Int]) {
        let inner = indent + "  "
        switch self {
        case .array(let elements) where !elements.isEmpty:
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index > 0 ? ",\n" : "\n") + inner
                element.write(to: &text, indent: inner, ranks)
            }
            text += "\n\(indent)]"
        case .object(let members) where !members.isEmpty:
            text += "{"
            let sorted = members.sorted { left, right in
                let (leftRank, rightRank) = (ranks[left.key] ?? .max, ranks[right.key] ?? .max)
                return leftRank == rightRank ? left.key < right.key : leftRank < rightRank
            }
            for (index, member) in sorted.enumerated() {
                text += (index > 0 ? ",\n" : "\n") + inner
                Self.write(member.key, to: &text)
                text += ": "
                member.value.write(to: &text, indent: inner, ranks)
            }
            text += "\n\(indent)}"
        default: text += description
        }
    }
}
