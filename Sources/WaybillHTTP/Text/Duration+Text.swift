extension Duration {
    /// The rounded duration in readable form: `0.4 ms`, `34 ms`, `1.2 s`, `7 min 30 s`, `26 h`, `30 days`.
    package var shown: String {
        guard self >= .zero else { return "-" + (.zero - max(self, .seconds(-Int64.max))).shown }
        let (seconds, attoseconds) = components
        guard seconds > 0 || attoseconds >= 999_500_000_000_000_000 else {
            let tenths = (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
            return tenths < 10 && tenths > 0 ? "0.\(tenths) ms" : "\((tenths + 5) / 10) ms"
        }
        guard seconds < 60 else { return Self.shown(seconds + (attoseconds < 500_000_000_000_000_000 ? 0 : 1)) }
        let tenths = seconds * 10 + (attoseconds + 50_000_000_000_000_000) / 100_000_000_000_000_000
        guard tenths < 600 else { return "1 min" }
        return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }

    /// Formats a number of seconds in its two largest units, or only in days if there are at least two.
    private static func shown(_ seconds: Int64) -> String {
        switch seconds {
        case ..<3600: parts(seconds, of: 60, "min", "s")
        case ..<172_800: parts(seconds / 60, of: 60, "h", "min")
        default: "\(seconds / 86_400) days"
        }
    }

    private static func parts(_ count: Int64, of size: Int64, _ large: String, _ small: String) -> String {
        let (quotient, rest) = count.quotientAndRemainder(dividingBy: size)
        return "\(quotient) \(large)" + (rest == 0 ? "" : " \(rest) \(small)")
    }
}
