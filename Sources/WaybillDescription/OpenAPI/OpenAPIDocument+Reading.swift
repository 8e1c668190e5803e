import Waybill
import WaybillSystem

extension OpenAPIDocument {
    /// Reads a document: OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, as JSON.
    ///
    /// - Throws: ``OpenAPIDocumentError`` if the text is not JSON, or not a document of these versions.
    public init(_ data: Data) throws(OpenAPIDocumentError) {
        let json: JSONValue
        do {
            json = try WaybillJSONDecoder().decode(JSONValue.self, from: data)
        } catch DecodingError.dataCorrupted(let context) {
            let reason = context.underlyingError.map { "\($0)" } ?? context.debugDescription
            throw OpenAPIDocumentError(place: "", reason: "it is not JSON: \(reason)")
        } catch {
            throw OpenAPIDocumentError(place: "", reason: "it is not JSON: \(error)")
        }
        try self.init(json)
    }

    /// Reads a document that has been decoded.
    ///
    /// - Throws: ``OpenAPIDocumentError`` if it is not a document of a version that can be read.
    public init(_ json: JSONValue) throws(OpenAPIDocumentError) {
        guard json.objectValue != nil else {
            throw OpenAPIDocumentError(place: "#", reason: "an OpenAPI document is an object")
        }
        let key = json["openapi"] == nil ? "swagger" : "openapi"
        guard let version = json[key] else {
            throw OpenAPIDocumentError(
                place: "#",
                reason: "it has neither a member \"openapi\" nor \"swagger\", which states the version"
            )
        }
        let known = key == "openapi" ? ["3.0", "3.1", "3.2"] : ["2.0"]
        guard let text = version.stringValue, known.contains(where: { text == $0 || text.hasPrefix($0 + ".") }) else {
            throw OpenAPIDocumentError(
                place: "#/\(key)",
                reason: "the version is \(version); 2.0, 3.0, 3.1 and 3.2 can be read"
            )
        }
        guard json["paths"]?.objectValue != nil || text.hasPrefix("3.1") || text.hasPrefix("3.2") else {
            throw OpenAPIDocumentError(place: "#/paths", reason: "it has no paths")
        }
        self.init(json: json)
    }
}

/// A document that is not OpenAPI, or of a version that cannot be read.
public struct OpenAPIDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place in the document, as a JSON pointer in a fragment; empty if the text is not JSON.
    public let place: String

    /// The reason.
    public let reason: String

    /// The place and the reason.
    public var description: String {
        place.isEmpty ? "The document cannot be read: \(reason)" : "The document cannot be read at \(place): \(reason)"
    }
}
