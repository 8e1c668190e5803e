/// A setting to which each clause of a kind adds an element, those of outer scopes first.
package protocol AccumulatingSetting: Setting {
    associatedtype Element: Sendable

    /// The declared elements.
    var elements: [Element] { get }

    init(_ elements: [Element])

    /// Returns an element as an explanation shows it, without secrets.
    static func summary(of element: Element) -> String
}

extension AccumulatingSetting {
    package static var accumulates: Bool { true }

    package func merged(over outer: Self) -> Self { Self(outer.elements + elements) }

    package var summary: String { elements.map(Self.summary).joined(separator: ", ") }
}
