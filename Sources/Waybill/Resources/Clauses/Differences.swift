/// The members that the differences of `patch(from:to:)` have beside the changes.
///
/// ```swift
/// On(.patch) { Differences(keeping: "type", "id") }       // {"type":"blogs","id":"7","name":"new"}
/// ```
///
/// For servers that want some members repeated in every patch. If nothing changed, nothing is sent.
public struct Differences: Setting {
    package let keptKeys: [String]

    /// Keeps these keys of the new state, if it has them.
    public init(keeping keys: String...) { keptKeys = keys }

    /// The keys.
    public var summary: String { "keeping \(keptKeys.joined(separator: ", "))" }
}
