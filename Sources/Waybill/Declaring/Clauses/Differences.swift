/// What the differences that `patch(from:to:)` sends have beside what changed.
///
/// ```swift
/// On(.patch) { Differences(keeping: "type", "id") }       // {"type":"blogs","id":"7","name":"new"}
/// ```
///
/// For servers that want some members repeated in every patch. Where nothing changed, nothing is sent all the same.
public struct Differences: Setting {
    package let keptKeys: [String]

    /// Keeps these keys of the new state, where it has them.
    public init(keeping keys: String...) { keptKeys = keys }

    /// The keys.
    public var summary: String { "keeping \(keptKeys.joined(separator: ", "))" }
}
