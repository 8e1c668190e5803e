/// One step into a document: a key of an object, or an index of an array.
///
/// Both are written as literals: `"data"`, `0`. A negative index counts from the end: `-1` is the last element.
public enum EnvelopeKey: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A key of an object.
    case key(String)
    /// An index of an array, from 0; from the end if it is negative.
    case index(Int)

    /// Creates a key of an object.
    public init(stringLiteral key: String) { self = .key(key) }

    /// Creates an index of an array.
    public init(integerLiteral index: Int) { self = .index(index) }
}

extension Sequence<EnvelopeKey> {
    /// The path in one piece, `data.items[0]`; a path without steps is `the whole body`.
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

/// A key of a coding path, as it is found in a document.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// Creates the index of an element, from 0.
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
