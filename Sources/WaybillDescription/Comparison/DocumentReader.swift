#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Waybill

/// The operations of a document, of any of its versions.
struct DocumentReader {
    let json: JSONValue
    private let isSwagger: Bool

    init(_ document: OpenAPIDocument) {
        json = document.json
        isSwagger = json["swagger"] != nil
    }

    /// Returns what a reference within the document leads to; nil if there is nothing.
    func resolve(_ reference: String) -> (json: JSONValue, place: String)? {
        guard reference.hasPrefix("#/") else { return nil }
        var value = json
        for step in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
            let key = String(step).unescapingPointer
            guard let next = value[key] ?? Int(key).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        return (value, reference)
    }

    /// Returns an object of the document, behind its reference if it is one.
    func resolving(_ json: JSONValue, at place: String) -> (json: JSONValue, place: String) {
        guard let reference = json["$ref"]?.stringValue, let target = resolve(reference) else { return (json, place) }
        return target
    }

    /// The paths in front of those of the document: of its servers, or its base path.
    private var prefixes: [String] {
        if isSwagger { return [json["basePath"]?.stringValue ?? ""] }
        let servers = json["servers"]?.arrayValue?.compactMap { $0["url"]?.stringValue } ?? []
        return servers.isEmpty ? [""] : servers.map { URL(string: $0)?.path ?? "" }
    }

    /// A path of the document.
    struct Path {
        let template: String
        let json: JSONValue
        let place: String

        var methods: [String] {
            (json.objectValue ?? [:]).keys.filter { Self.names.contains($0) }.sorted()
        }

        private static let names: Set = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
    }

    var paths: [Path] {
        (json["paths"]?.objectValue ?? [:]).sorted { $0.key < $1.key }.map { template, item in
            let place = "#/paths/\(template.replacingPointerCharacters)"
            let resolved = resolving(item, at: place)
            return Path(template: template, json: resolved.json, place: resolved.place)
        }
    }

    /// Returns the path of the document that a call goes to: one with as many of its literal segments as possible.
    ///
    /// - Parameters:
    ///   - path: the path of the call below its base URL, with names in braces.
    ///   - base: the path of the base URL.
    /// - Returns: the path; nil if the document has no such path.
    func path(of path: String, below base: String) -> Path? {
        let whole = Self.segments(base + path)
        let found = paths.flatMap { candidate in
            prefixes.map { (candidate, Self.match(whole, Self.segments($0 + candidate.template))) }
                + [(candidate, Self.match(Self.segments(path), Self.segments(candidate.template)))]
        }
        return found.compactMap { candidate, score in score.map { (candidate, $0) } }.max { $0.1 < $1.1 }?.0
    }

    private static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }

    /// Returns the number of literal segments that are the same; nil if the paths differ.
    private static func match(_ call: [Substring], _ template: [Substring]) -> Int? {
        guard call.count == template.count else { return nil }
        var score = 0
        for (own, other) in zip(call, template) {
            if own == other, !own.contains("{") { score += 1 } else if !other.contains("{") { return nil }
        }
        return score
    }
}

extension DocumentReader {
    /// A parameter of an operation.
    struct Parameter {
        let name: String
        let place: String
        let location: String
        let isRequired: Bool
        let schema: JSONValue
    }

    /// Returns the parameters of an operation, with those of its path.
    func parameters(of operation: JSONValue, at place: String, in path: Path) -> [Parameter] {
        let own = operation["parameters"]?.arrayValue ?? []
        let shared = path.json["parameters"]?.arrayValue ?? []
        let all =
            own.enumerated().map { ($1, "\(place)/parameters/\($0)") }
            + shared.enumerated().map { ($1, "\(path.place)/parameters/\($0)") }
        var seen: Set<String> = []
        return all.compactMap { json, place in
            let (parameter, place) = resolving(json, at: place)
            guard let name = parameter["name"]?.stringValue, let location = parameter["in"]?.stringValue,
                seen.insert("\(location) \(name)").inserted
            else { return nil }
            return Parameter(
                name: name,
                place: place,
                location: location,
                isRequired: parameter["required"] == true,
                schema: parameter["schema"] ?? (isSwagger ? parameter : [:])
            )
        }
    }

    /// The contents of a body, by their media types.
    struct Contents {
        let place: String
        let isRequired: Bool
        let schemas: [(mediaType: String, schema: JSONValue, place: String)]
    }

    /// Returns the body of an operation; nil if it takes none.
    func body(of operation: JSONValue, at place: String, in path: Path) -> Contents? {
        if isSwagger {
            let types = operation["consumes"]?.arrayValue ?? json["consumes"]?.arrayValue ?? ["application/json"]
            guard let body = parameters(of: operation, at: place, in: path).first(where: { $0.location == "body" })
            else { return nil }
            return Contents(
                place: body.place,
                isRequired: body.isRequired,
                schemas: types.compactMap(\.stringValue).map { ($0, body.schema, "\(body.place)/schema") }
            )
        }
        guard let declared = operation["requestBody"] else { return nil }
        let (body, place) = resolving(declared, at: "\(place)/requestBody")
        return Contents(place: place, isRequired: body["required"] == true, schemas: contents(of: body, at: place))
    }

    /// Returns the responses of an operation, by their statuses.
    func responses(of operation: JSONValue, at place: String) -> [(status: String, contents: Contents)] {
        (operation["responses"]?.objectValue ?? [:]).sorted { $0.key < $1.key }.map { status, declared in
            let (response, place) = resolving(declared, at: "\(place)/responses/\(status)")
            guard isSwagger else {
                return (
                    status.uppercased(),
                    Contents(place: place, isRequired: false, schemas: contents(of: response, at: place))
                )
            }
            let types = operation["produces"]?.arrayValue ?? json["produces"]?.arrayValue ?? ["application/json"]
            let schema = response["schema"]
            return (
                status,
                Contents(
                    place: place,
                    isRequired: false,
                    schemas: schema.map { schema in
                        types.compactMap(\.stringValue).map { ($0, schema, "\(place)/schema") }
                    } ?? []
                )
            )
        }
    }

    private func contents(
        of json: JSONValue,
        at place: String
    ) -> [(mediaType: String, schema: JSONValue, place: String)] {
        (json["content"]?.objectValue ?? [:]).sorted { $0.key < $1.key }.map { type, media in
            let keyword = media["schema"] == nil && media["itemSchema"] != nil ? "itemSchema" : "schema"
            let pointer = "\(place)/content/\(type.replacingPointerCharacters)/\(keyword)"
            return (MediaType(type).essence, media[keyword] ?? [:], pointer)
        }
    }
}

extension String {
    /// The step of a JSON pointer (RFC 6901) as the key that it stands for.
    fileprivate var unescapingPointer: String {
        var text = ""
        var rest = Substring(PercentEncoding.decode(self) ?? self)
        while let character = rest.popFirst() {
            guard character == "~", let next = rest.first, next == "0" || next == "1" else {
                text.append(character)
                continue
            }
            rest.removeFirst()
            text.append(next == "0" ? "~" : "/")
        }
        return text
    }
}
