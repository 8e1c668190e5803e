/// One step of a path into a document: a key of an object or an index of an array.
///
/// Both can be literals, such as `"data"` or `0`. A negative index counts from the end: `-1` is the last element.
public enum EnvelopeKey: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A key of an object.
    case key(String)
    /// An index of an array, starting at 0; a negative one counts from the end.
    case index(Int)

    /// Creates a key of an object.
    ///
    /// - Parameter key: the key, as spelled in the document.
    public init(stringLiteral key: String) { self = .key(key) }

    /// Creates an index of an array.
    ///
    /// - Parameter index: the index, starting at 0; a negative one counts from the end.
    public init(integerLiteral index: Int) { self = .index(index) }
}

extension Sequence<EnvelopeKey> {
    /// The text of the path, such as `data.items[0]`; `the whole body` for an empty path.
    package var pathDescription: String {
        var text = ""
        for step in self {
            switch step {
            case .key(let key): text += text.isEmpty ? key : ".\(key)"
            case .index(let index): text += "[\(index)]"
            }
        }
        return text.isEmpty ? "the whole body" : text
    }
}

/// A coding key that represents a key or index in a document.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// Creates the key for the index of an element, starting at 0.
    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    init(_ step: EnvelopeKey) {
        switch step {
        case .key(let name): self.init(name)
        case .index(let index): self.init(index: index)
        }
    }

    init(stringValue: String) { self.init(stringValue) }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}
