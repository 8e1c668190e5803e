/// The limits of a call, the outermost first.
package struct LimitRules: Setting {
    package static let clauseName = "Limit"

    let limits: [Limit]

    package static var accumulates: Bool { true }

    package func merged(over outer: LimitRules) -> LimitRules {
        if let last = limits.lastIndex(where: \.isNone) { return LimitRules(limits: Array(limits[last...])) }
        return LimitRules(limits: outer.limits + limits.filter { !outer.limits.contains($0) })
    }

    /// Those that count.
    package var effective: [Limit] { limits.filter { !$0.isNone } }

    package var summary: String { limits.map(\.description).joined(separator: ", ") }
}
