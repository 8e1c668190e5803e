import Waybill
import WaybillJSON

/// The paths of a document, found by the segments of a call's path.
struct DocumentPaths {
    /// A path of the document.
    struct Path {
        let template: String
        let json: JSONValue
        let place: String

        /// The methods that the path has.
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
            // Documents from before version 3.2 have it as an extension.
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

    /// The segments of each path as they stand, and behind each path of a server.
    private let segments: [[[String]]]

    /// The paths that the URLs of a client may have; empty if the document does not say.
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

    /// Returns the paths of the document that a call may go to, those with the most of its literal segments first.
    ///
    /// Names of parameters do not count: a document may have the methods of one path in several items.
    ///
    /// - Parameter path: the path of the call below its base URL, with names in braces.
    /// - Returns: the paths.
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

    /// Whether the URL of a call is one of a path behind a path of a server, with nothing left out.
    ///
    /// - Parameter path: the path of the call below its base URL, with names in braces.
    /// - Returns: whether a path of the document has it.
    func hasURL(of path: String) -> Bool {
        let whole = Self.segments(base + path)
        return paths.contains { candidate in
            serverPaths.contains { Self.score(whole, Self.segments($0 + candidate.template)) != nil }
        }
    }

    /// Returns the template that differs least from a path: in the fewest segments, and then in the fewest characters.
    ///
    /// - Parameters:
    ///   - path: the path of the call below its base URL, with names in braces.
    ///   - method: the method; a path without it counts as half a segment worse.
    /// - Returns: the template; nil if more than half of the segments differ in all of them.
    func nearest(to path: String, method: HTTPRequest.Method) -> String? {
        let calls = [Self.segments(path), Self.segments(base + path)].uniqued
        let own = Self.segments(path).count
        let measured = zip(paths, segments).flatMap { candidate, forms in
            forms.flatMap { form in
                calls.compactMap { call -> (template: String, segments: Double, characters: Int)? in
                    let distance = Self.distance(call, form)
                    // The base is not among the segments that may differ.
                    let inBase = call.count - own
                    guard distance <= Double(max(call.count, form.count) - inBase) / 2 else { return nil }
                    let characters = Self.characters(call.joined(separator: "/"), form.joined(separator: "/"))
                    return (candidate.template, distance + (candidate.operation(method) == nil ? 0.5 : 0), characters)
                }
            }
        }
        return measured.min { ($0.segments, $0.characters) < ($1.segments, $1.characters) }?.template
    }

    /// The segments of a path, with parameters as `{}`.
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

    /// Returns the number of literal segments that are the same; nil if the paths differ.
    private static func score(_ call: [String], _ template: [String]) -> Int? {
        guard call.count == template.count else { return nil }
        var score = 0
        for (own, other) in zip(call, template) {
            if own == other { score += own == "{}" ? 0 : 1 } else if !fits(own, other) { return nil }
        }
        return score
    }

    /// Whether a segment of a call may be one of a template that is written differently.
    private static func fits(_ own: String, _ template: String) -> Bool {
        guard let start = template.firstRange(of: "{}") else { return false }
        if own == "{}" || template == "{}" { return true }
        guard !own.contains("{}"), let end = template.ranges(of: "{}").last else { return false }
        let (prefix, suffix) = (template[..<start.lowerBound], template[end.upperBound...])
        return own.hasPrefix(prefix) && own.hasSuffix(suffix) && own.count > prefix.count + suffix.count
    }

    /// Returns the number of segments that have to be inserted, removed or replaced.
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

    /// Returns the part of a segment by which two differ: a literal may be the value of a parameter, or misspelled.
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
    /// The methods for which a path item has a field of its own (OpenAPI 3.2, Path Item Object), in lower case.
    static let fixedFields: Set = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// Whether a path item has a field for the method; any other is in `additionalOperations`.
    var isFixedField: Bool { rawValue == rawValue.uppercased() && Self.fixedFields.contains(rawValue.lowercased()) }
}
