/// The rule for matching keys of a document with those of a path.
package enum KeyMatching: Sendable {
    /// The same ones.
    case exact
    /// Equal keys; without an equal key, the only one that is equal without regard to case, `_` and `-`.
    case similar
}
