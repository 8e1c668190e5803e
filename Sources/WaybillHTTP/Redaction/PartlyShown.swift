/// A type that shows only selected parts in dumps and debuggers, because the others may contain secrets.
package protocol PartlyShown: CustomReflectable {
    /// The parts to show, with their labels, without secrets.
    var shownParts: KeyValuePairs<String, Any> { get }
}

extension PartlyShown {
    /// A mirror of the selected parts, without secrets.
    public var customMirror: Mirror { Mirror(self, children: shownParts, displayStyle: .struct) }
}
