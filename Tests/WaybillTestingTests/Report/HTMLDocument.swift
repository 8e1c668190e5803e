import Foundation

/// The tags that a browser would find in an HTML document, for escaping tests.
struct HTMLDocument {
    struct Invalid: Error {
        let text: String
    }

    private struct Tag {
        var name: String
        var attributes: [(name: String, value: String)]
    }

    private var tags: [Tag] = []
    private var texts: [String: String] = [:]

    init(_ html: String) throws {
        var rest = Array(html.unicodeScalars)[...]
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            guard let first = rest.first, first.properties.isAlphabetic || first == "/" || first == "!" else {
                throw Invalid(text: String(String.UnicodeScalarView(rest.prefix(40))))
            }
            let name = String(String.UnicodeScalarView(rest.prefix { $0 != " " && $0 != ">" && $0 != "\n" }))
            rest = rest.dropFirst(name.unicodeScalars.count)
            var tag = Tag(name: name, attributes: [])
            while let scalar = rest.first, scalar != ">" {
                if scalar == " " || scalar == "\n" || scalar == "/" {
                    rest = rest.dropFirst()
                    continue
                }
                let attribute = rest.prefix { !" =>\n".unicodeScalars.contains($0) }
                rest = rest.dropFirst(attribute.count)
                var value = ""
                if rest.first == "=" {
                    rest = rest.dropFirst()
                    let isQuoted = rest.first == "\""
                    if isQuoted { rest = rest.dropFirst() }
                    let text = rest.prefix { isQuoted ? $0 != "\"" : $0 != " " && $0 != ">" }
                    value = String(String.UnicodeScalarView(text))
                    rest = rest.dropFirst(text.count + (isQuoted ? 1 : 0))
                }
                tag.attributes.append((String(String.UnicodeScalarView(attribute)), value))
            }
            rest = rest.dropFirst()
            tags.append(tag)
            // These elements contain no markup before their end tag.
            guard name == "style" || name == "script" else { continue }
            let end = "</\(name)"
            let text = String(String.UnicodeScalarView(rest))
            guard let range = text.range(of: end) else { throw Invalid(text: "no \(end)") }
            texts[name, default: ""] += text[..<range.lowerBound]
            rest = Array(text[range.lowerBound...].unicodeScalars)[...]
        }
    }

    /// The names of the elements.
    var names: Set<String> { Set(tags.map(\.name).filter { !$0.hasPrefix("/") && !$0.hasPrefix("!") }) }

    /// The number of elements with a name.
    func count(of name: String) -> Int { tags.count { $0.name == name } }

    /// The names of all attributes.
    var attributeNames: Set<String> { Set(tags.flatMap { $0.attributes.map(\.name) }) }

    /// The values of all attributes with a name.
    func attributes(named name: String) -> [String] {
        tags.flatMap { $0.attributes.filter { $0.name == name }.map(\.value) }
    }

    /// The text of the elements `style` or `script`.
    func text(of name: String) -> String { texts[name] ?? "" }
}
