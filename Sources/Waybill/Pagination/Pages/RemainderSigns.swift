import WaybillJSON
import WaybillSystem

/// A search of a response for signs that the list has more items than the declared pagination finds.
///
/// Servers page lists whether or not the client declares pagination. Signs can be wrong, and their absence proves
/// nothing. They are meant for callers that must not mistake a partial list for a complete one.
package struct RemainderSigns: Sendable {
    /// The status of the searched response.
    let status: HTTPResponse.Status
    let headerFields: HTTPFields
    let url: URL
    let body: Data
    /// The path of the list in the body.
    let listPath: [EnvelopeKey]
    /// Whether the client's origin replaces the origins of links.
    let ignoresOriginOfLinks: Bool

    package init(
        status: HTTPResponse.Status,
        headerFields: HTTPFields,
        url: URL,
        body: Data,
        settings: Scope.Settings
    ) {
        self.status = status
        self.headerFields = headerFields
        self.url = url
        self.body = body
        listPath = settings[Envelope.self]?.list ?? []
        ignoresOriginOfLinks = settings.ignoresOriginOfLinks
    }

    /// The maximum nesting depth of the body; the elements of the list have a separate limit.
    package static let maximumDepth = 100_000

    private static var decoder: WaybillJSONDecoder {
        var decoder = JSONDefaults.lenientDecoder
        decoder.maximumDepth = maximumDepth
        return decoder
    }

    /// The part of the list that has been read.
    package struct Progress: Sendable {
        package var items: Int
        package var pages: Int
        /// Whether the resource declares pagination.
        package var isPaginated: Bool
        /// Whether totals refer to the requested list; for a list of changes, servers may report the total of all
        /// items.
        package var comparesTotals: Bool

        package init(items: Int, pages: Int, isPaginated: Bool, comparesTotals: Bool) {
            (self.items, self.pages) = (items, pages)
            (self.isPaginated, self.comparesTotals) = (isPaginated, comparesTotals)
        }
    }

    /// Whether the body has an array or an object at the list's path.
    package var hasList: Bool {
        guard !listPath.isEmpty else { return true }
        let found = try? Self.decoder.withDocument(body) { document in
            var document = document
            document.keyMatching = .similar
            return document.contains(listPath)
        }
        return found ?? false
    }

    /// Returns the first sign of further items, as a short text that includes its location; nil if there are no signs.
    ///
    /// - Parameters:
    ///   - progress: the part of the list that has been read.
    ///   - pageIsEmpty: whether this page has no items. An empty page after other pages is the end of the list,
    ///     regardless of its links.
    /// - Returns: the sign; nil if there are no signs.
    package func first(after progress: Progress, pageIsEmpty: Bool) -> String? {
        if pageIsEmpty, progress.pages > 1 { return nil }
        return range(progress) ?? link ?? field(progress) ?? member(progress)
    }

    // MARK: The head

    /// A sign in `Content-Range: items 0-24/319` or the status 206 (RFC 9110, section 14.4).
    private func range(_ progress: Progress) -> String? {
        guard let text = headerFields[.contentRange] else { return status == 206 ? "status 206" : nil }
        let parts = (text.split(separator: " ").last ?? "").split(separator: "/", maxSplits: 1)
        let sign = "Content-Range: \(text)"
        guard parts.count == 2 else { return sign }
        let bounds = parts[0].split(separator: "-").map { Int($0) }
        let total = Int(parts[1])
        // `*/0` is an empty list.
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1] else { return total == 0 ? nil : sign }
        if !progress.isPaginated, first != 0 { return sign }
        // Without a total, the pagination scheme determines where the list ends.
        guard let total else { return progress.isPaginated && status != 206 ? nil : sign }
        return last + 1 < total ? sign : nil
    }

    private var link: String? {
        for value in headerFields[values: .link] {
            guard let links = WebLink.links(in: value) else {
                if value.lowercased().contains("next") { return "Link" }
                continue
            }
            let next = links.first { $0.has(relation: "next") && $0.isAbout(url, ignoringOrigin: ignoresOriginOfLinks) }
            if next != nil { return "Link: rel=\"next\"" }
        }
        return nil
    }

    private func field(_ progress: Progress) -> String? {
        for field in headerFields {
            var name = Self.folded(field.name.description)
            if name.hasPrefix("xms") { name.removeFirst(3) } else if name.hasPrefix("x") { name.removeFirst() }
            let value = field.value
            let json = Int(value).map { JSONValue.integer($0) } ?? .string(value)
            if Self.isSign(name, json, progress, isField: true) { return "\(field.name): \(value)" }
        }
        return nil
    }

    // MARK: The body

    /// Searches the objects enclosing the list, and their metadata objects.
    private func member(_ progress: Progress) -> String? {
        guard let last = listPath.indices.last else { return nil }
        var path: [EnvelopeKey] = []
        for index in listPath.indices {
            let inner: String? = if case .key(let key) = listPath[index] { key } else { nil }
            let outline = try? Self.decoder.decode(Outline.self, from: body, at: path)
            if case .object(let members) = outline {
                for (key, value) in members.sorted(by: { $0.key < $1.key }) where key != inner {
                    if let sign = Self.sign(key, value, progress, depth: 0) { return sign }
                }
            }
            if index == last { break }
            path.append(listPath[index])
        }
        return nil
    }

    private static func sign(_ key: String, _ value: Outline, _ progress: Progress, depth: Int) -> String? {
        let name = folded(key)
        if let json = value.json, isSign(name, json, progress, isField: false) {
            return json.objectValue == nil && json.arrayValue == nil ? "\(key): \(json)" : key
        }
        guard depth < 2, descriptions.contains(name) else { return nil }
        switch value {
        case .object(let members):
            for (inner, value) in members.sorted(by: { $0.key < $1.key }) {
                if let sign = sign(inner, value, progress, depth: depth + 1) { return "\(key).\(sign)" }
            }
            return nil
        case .array(let links):
            return links.contains { link in
                let relation = link["rel"]?.stringValue ?? link["relation"]?.stringValue
                return relation?.lowercased() == "next" && (link["href"] ?? link["url"])?.isNull == false
            } ? "\(key): rel=\"next\"" : nil
        case .scalar: return nil
        }
    }

    /// Whether a member or a header field indicates further items.
    private static func isSign(_ name: String, _ value: JSONValue, _ progress: Progress, isField: Bool) -> Bool {
        if followers.contains(name) { return value.leadsOn }
        if flags.contains(name) { return value == true || value.stringValue?.lowercased() == "true" }
        if ends.contains(name) { return value == false || value.stringValue?.lowercased() == "false" }
        guard progress.comparesTotals else { return false }
        let count = value.intValue ?? value.stringValue.flatMap { Int($0) }
        if totals.contains(name) || isField && fieldTotals.contains(name) { return count ?? 0 > progress.items }
        return pageCounts.contains(name) && count ?? 0 > progress.pages
    }

    private static func folded(_ name: String) -> String { name.lowercased().filter(\.isLetter) }

    private static let followers: Set = [
        "next", "nextpage", "nextpagetoken", "nextpageurl", "nexturl", "nexturi", "nextlink", "nexthref", "nextcursor",
        "nexttoken", "nextoffset", "nextmarker", "nextstart", "nextrecordsurl", "odatanextlink", "continue",
        "continuation", "continuationtoken", "lastevaluatedkey",
    ]
    private static let flags: Set = [
        "hasmore", "hasnext", "hasnextpage", "hasmoreresults", "hasmoreitems", "hasmorepages", "more", "moreitems",
        "moreresults", "istruncated", "truncated", "incompleteresults",
    ]
    private static let ends: Set = ["last", "islast", "islastpage", "done"]
    private static let totals: Set = [
        "total", "totalcount", "totalitems", "totalresults", "totalrecords", "totalelements", "totalhits", "totalrows",
        "totalsize", "totalobjects", "count", "odatacount", "numfound",
    ]
    private static let fieldTotals: Set = ["itemcount", "resultcount"]
    private static let pageCounts: Set = ["totalpages", "pagecount", "pages", "numpages", "lastpage", "pagestotal"]
    private static let descriptions: Set = [
        "meta", "metadata", "links", "link", "paging", "pagination", "page", "pageinfo", "pager", "cursor", "response",
    ]
}

/// A JSON value with the members of nested objects, but without long arrays.
private enum Outline: Decodable {
    case object([String: Outline])
    /// The elements of a short array.
    case array([JSONValue])
    case scalar(JSONValue)

    init(from decoder: any Decoder) throws {
        // Deep enough for the members of metadata objects beside the list.
        let isNear = decoder.codingPath.count <= 8
        if isNear, let members = try? decoder.singleValueContainer().decode([String: Self].self) {
            self = .object(members)
        } else if let elements = try? decoder.unkeyedContainer() {
            let isShort = elements.count.map { $0 <= 16 } ?? false
            self = .array(isShort ? (try? [JSONValue](from: decoder)) ?? [] : [])
        } else {
            self = .scalar((try? JSONValue(from: decoder)) ?? .null)
        }
    }

    /// The value, reduced to the parts that can indicate a next page.
    var json: JSONValue? {
        switch self {
        case .object(let members): .object(members.mapValues { $0.json ?? .null })
        case .array: nil
        case .scalar(let value): value
        }
    }
}

extension JSONValue {
    /// Whether the value of a member such as `next` indicates a next page.
    fileprivate var leadsOn: Bool {
        switch self {
        case .null, .array: false
        case .bool(let value): value
        case .integer(let value): value > 0
        case .number, .double, .numeral: true
        case .string(let text): !["", "null", "none", "false", "0", "-1"].contains(text.lowercased())
        case .object(let members): members.values.contains { $0.leadsOn }
        }
    }
}
