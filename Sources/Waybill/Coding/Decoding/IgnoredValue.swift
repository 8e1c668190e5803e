/// A value of any kind, of which only the place matters.
package struct IgnoredValue: Decodable, Sendable {
    package init(from decoder: any Decoder) {}
}
