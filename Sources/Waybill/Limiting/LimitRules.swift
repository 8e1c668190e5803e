/// The limits of a call, the farthest first.
package struct LimitRules: Setting {
    let limits: [Limit]

    package static var accumulates: Bool { true }

    package func merged(over farther: LimitRules) -> LimitRules {
        if let last = limits.lastIndex(where: \.isNone) { return LimitRules(limits: Array(limits[last...])) }
        return LimitRules(limits: farther.limits + limits.filter { !farther.limits.contains($0) })
    }

    /// Those that count.
    package var effective: [Limit] { limits.filter { !$0.isNone } }

    package var summary: String { limits.map(\.description).joined(separator: ", ") }
}
