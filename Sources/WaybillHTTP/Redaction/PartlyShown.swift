/// A type that shows selected parts in dumps and debuggers, because others can contain secrets.
package protocol PartlyShown: CustomReflectable {
    /// The parts to show, with their labels, without secrets.
    var shownParts: KeyValuePairs<String, Any> { get }
}

extension PartlyShown {
    /// A mirror that shows selected parts, without secrets.
    public var customMirror: Mirror { Mirror(self, children: shownParts, displayStyle: .struct) }
}
