/// Which keys of a document are those of a path.
package enum KeyMatching: Sendable {
    /// The same ones.
    case exact
    /// The same ones; where there is none, the only one that is the same without regard to case, `_` and `-`.
    case similar
}
