import WaybillSystem

/// A link in a `Link` field (RFC 8288, section 3).
package struct WebLink: Sendable, Hashable {
    /// The target, as an unresolved URI reference.
    package let target: String

    /// The parameters in order, with lowercase names; a parameter without a value has an empty one.
    package let parameters: [Parameter]

    /// A parameter of a link.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// Whether the link has a relation type, compared case-insensitively.
    ///
    /// Only the first `rel` parameter is used (RFC 8288, section 3.3).
    package func has(relation: String) -> Bool {
        relations.contains(relation.asciiLowercased)
    }

    /// The relation types of the link, in lowercase.
    package var relations: [String] {
        guard let value = parameters.first(where: { $0.name == "rel" })?.value else { return [] }
        return value.split(separator: " ").map(\.asciiLowercased)
    }

    /// Whether a resource is the link's context, rather than another resource or a fragment identified by its `anchor`
    /// (RFC 8288, section 3.2).
    ///
    /// - Parameters:
    ///   - url: the URL of the resource, against which the anchor is resolved; its fragment is ignored.
    ///   - ignoresOrigin: whether an anchor that differs from the URL only in its origin matches.
    /// - Returns: whether the resource is the link's context.
    package func isAbout(_ url: URL, ignoringOrigin ignoresOrigin: Bool = false) -> Bool {
        guard let anchor = parameters.first(where: { $0.name == "anchor" })?.value.trimmed(), !anchor.isEmpty else {
            return true
        }
        guard let context = URL.resolved(anchor, against: url, keepsFragment: true) else { return false }
        return (ignoresOrigin || HTTPRequest.Origin(context) == HTTPRequest.Origin(url)) && context.fragment == nil
            && context.path(percentEncoded: true) == url.path(percentEncoded: true)
            && context.query(percentEncoded: true) == url.query(percentEncoded: true)
    }

    /// Parses the links of a field value with the algorithm of RFC 8288, appendix B.2; nil if any part is not a link.
    package static func links(in value: String) -> [WebLink]? {
        var parser = Parser(text: Array(value.unicodeScalars))
        let links = parser.links()
        return parser.isAtEnd ? links : nil
    }
}

private struct Parser {
    let text: [Unicode.Scalar]
    var position = 0

    init(text: [Unicode.Scalar]) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

    mutating func skipSpace() {
        while let scalar = current, scalar == " " || scalar == "\t" { position += 1 }
    }

    mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> String {
        var taken = String.UnicodeScalarView()
        while let scalar = current, isTaken(scalar) {
            taken.append(scalar)
            position += 1
        }
        return String(taken)
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    mutating func links() -> [WebLink] {
        var links: [WebLink] = []
        while true {
            while let scalar = current, scalar == " " || scalar == "\t" || scalar == "," { position += 1 }
            guard take("<") else { return links }
            let target = take { $0 != ">" }
            guard take(">") else {
                position = text.startIndex
                return links
            }
            links.append(WebLink(target: target, parameters: parameters()))
        }
    }

    mutating func parameters() -> [WebLink.Parameter] {
        var parameters: [WebLink.Parameter] = []
        while true {
            skipSpace()
            guard take(";") else { return parameters }
            skipSpace()
            let name = take { !" \t=;,".unicodeScalars.contains($0) }
            skipSpace()
            var value = ""
            if take("=") {
                skipSpace()
                value = current == "\"" ? quotedString() : take { $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }
            }
            if !name.isEmpty { parameters.append(.init(name: name.asciiLowercased, value: value)) }
        }
    }

    mutating func quotedString() -> String {
        position += 1
        var value = String.UnicodeScalarView()
        while let scalar = current {
            position += 1
            if scalar == "\"" { break }
            if scalar == "\\", let escaped = current {
                value.append(escaped)
                position += 1
            } else {
                value.append(scalar)
            }
        }
        return String(value)
    }
}
