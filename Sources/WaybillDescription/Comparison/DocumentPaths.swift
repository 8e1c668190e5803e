import Waybill
import WaybillJSON

/// The paths of a document, matched by path segments.
struct DocumentPaths {
    /// A path item of the document.
    struct Path {
        let template: String
        let json: JSONValue
        let place: String

        /// The sorted methods of the path.
        var methods: [String] {
            let fixed = (json.objectValue ?? [:]).keys.filter { HTTPRequest.Method.fixedFields.contains($0) }
            let others = json["additionalOperations"]?.objectValue ?? [:]
            let query = json["query"] == nil && json["x-query"] != nil ? ["QUERY"] : []
            return (fixed.map { $0.uppercased() } + others.keys + query).sorted()
        }

        /// Returns the operation of a method; nil if the path has none.
        func operation(_ method: HTTPRequest.Method) -> Operation? {
            var keys: [[String]] = []
            if method.isFixedField { keys.append(["\(method)".lowercased()]) }
            // Documents before version 3.2 describe QUERY in an extension.
            if method == .query { keys.append(["x-query"]) }
            keys.append(["additionalOperations", "\(method)"])
            for path in keys {
                let found = path.reduce(json as JSONValue?) { $0?[$1] }
                if let found {
                    return Operation(path: self, json: found, place: ([place] + path).joined(separator: "/"))
                }
            }
            return nil
        }
    }

    /// An operation of the document.
    struct Operation {
        let path: Path
        let json: JSONValue
        let place: String
    }

    private let paths: [Path]

    /// The segments of each path, alone and after each server's path prefix.
    private let segments: [[[String]]]

    /// The possible paths of a client's base URL; empty if the document does not determine them.
    let serverPaths: [String]
    private let base: String

    /// Reads the paths of a document.
    ///
    /// - Parameters:
    ///   - document: the document.
    ///   - base: the path of the client's base URL.
    init(_ document: DocumentReader, below base: String) {
        self.base = base
        let prefixes = document.prefixes
        serverPaths = document.serverPaths
        paths = (document.json["paths"]?.objectValue ?? [:]).sorted { $0.key < $1.key }.map { template, item in
            let place = "#/paths/\(template.replacingPointerCharacters)"
            let resolved = document.resolving(item, at: place)
            return Path(template: template, json: resolved.json, place: resolved.place)
        }
        segments = paths.map { path in
            ([""] + prefixes).uniqued.map { Self.segments($0 + path.template) }
        }
    }

    /// Returns the document's paths that match a call, sorted by the number of equal literal segments, most first.
    ///
    /// Parameter names are ignored. A document can split the methods of one path across several path items.
    ///
    /// - Parameter path: the path of the call relative to its base URL, with parameter names in braces.
    /// - Returns: the matching paths.
    func matches(of path: String) -> [Path] {
        let calls = [Self.segments(path), Self.segments(base + path)].uniqued
        let found = zip(paths, segments).compactMap { candidate, forms -> (path: Path, score: Int)? in
            let scores = forms.flatMap { form in calls.compactMap { Self.score($0, form) } }
            return scores.max().map { (candidate, $0) }
        }
        return found.enumerated()
            .sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.path)
    }

    /// Whether a server path, followed by a path of the document, matches the full path of a call.
    ///
    /// - Parameter path: the path of the call relative to its base URL, with parameter names in braces.
    /// - Returns: whether a path of the document matches.
    func containsFullPath(of path: String) -> Bool {
        let whole = Self.segments(base + path)
        return paths.contains { candidate in
            serverPaths.contains { Self.score(whole, Self.segments($0 + candidate.template)) != nil }
        }
    }

    /// Returns the template closest to a path, by the number of differing segments and then by edit distance.
    ///
    /// - Parameters:
    ///   - path: the path of the call relative to its base URL, with parameter names in braces.
    ///   - method: the method. A path without it has an additional distance of half a segment.
    /// - Returns: the template; nil if more than half of the segments differ in every path.
    func nearest(to path: String, method: HTTPRequest.Method) -> String? {
        let calls = [Self.segments(path), Self.segments(base + path)].uniqued
        let own = Self.segments(path).count
        let measured = zip(paths, segments).flatMap { candidate, forms in
            forms.flatMap { form in
                calls.compactMap { call -> (template: String, segments: Double, characters: Int)? in
                    let distance = Self.distance(call, form)
                    // Segments of the base URL do not count toward the limit.
                    let inBase = call.count - own
                    guard distance <= Double(max(call.count, form.count) - inBase) / 2 else { return nil }
                    let characters = Self.characters(call.joined(separator: "/"), form.joined(separator: "/"))
                    return (candidate.template, distance + (candidate.operation(method) == nil ? 0.5 : 0), characters)
                }
            }
        }
        return measured.min { ($0.segments, $0.characters) < ($1.segments, $1.characters) }?.template
    }

    /// Returns the segments of a path, with `{}` in place of parameters.
    private static func segments(_ path: String) -> [String] {
        path.split(separator: "/").map { segment in
            var text = ""
            var rest = segment
            while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
                text += rest[..<start] + "{}"
                rest = rest[rest.index(after: end)...]
            }
            return text + rest
        }
    }

    /// Returns the number of equal literal segments; nil if the path does not match the template.
    private static func score(_ call: [String], _ template: [String]) -> Int? {
        guard call.count == template.count else { return nil }
        var score = 0
        for (own, other) in zip(call, template) {
            if own == other { score += own == "{}" ? 0 : 1 } else if !fits(own, other) { return nil }
        }
        return score
    }

    /// Whether a call's segment matches a template's segment that differs from it.
    private static func fits(_ own: String, _ template: String) -> Bool {
        guard let start = template.firstRange(of: "{}") else { return false }
        if own == "{}" || template == "{}" { return true }
        guard !own.contains("{}"), let end = template.ranges(of: "{}").last else { return false }
        let (prefix, suffix) = (template[..<start.lowerBound], template[end.upperBound...])
        return own.hasPrefix(prefix) && own.hasSuffix(suffix) && own.count > prefix.count + suffix.count
    }

    /// Returns the weighted edit distance between two lists of segments.
    private static func distance(_ left: [String], _ right: [String]) -> Double {
        var previous = (0...right.count).map(Double.init)
        for (i, own) in left.enumerated() {
            var current = [Double(i + 1)]
            for (j, other) in right.enumerated() {
                let replaced = previous[j] + difference(own, other)
                current.append(min(previous[j + 1] + 1, current[j] + 1, replaced))
            }
            previous = current
        }
        return previous[right.count]
    }

    /// Returns the cost of replacing one segment with another, from 0 to 1.
    ///
    /// The cost is lower if the literal could be a parameter value or a misspelling.
    private static func difference(_ own: String, _ template: String) -> Double {
        if own == template { return 0 }
        if template == "{}" { return 0.25 }
        guard !own.contains("{}"), !template.contains("{}") else { return 1 }
        return SimilarKeys.nearest(to: own, among: [template]) == nil ? 1 : 0.5
    }

    private static func characters(_ left: String, _ right: String) -> Int {
        SimilarKeys.editDistance(Array(left.prefix(200)), Array(right.prefix(200)))
    }
}

extension HTTPRequest.Method {
    /// The lowercase methods with a fixed field in a path item (OpenAPI 3.2, Path Item Object).
    static let fixedFields: Set = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// Whether a path item has a fixed field for the method; any other method is in `additionalOperations`.
    var isFixedField: Bool { rawValue == rawValue.uppercased() && Self.fixedFields.contains(rawValue.lowercased()) }
}
