import Waybill

/// The first difference between two results, found by their structure.
package struct ResultDifference: Sendable, Equatable {
    /// The way from the results to the values that differ, such as `items[3].price`; empty for the results themselves.
    package let path: String

    /// The first result's value there, shortened; redacted if its name is that of a secret, such as a token.
    package let first: String

    /// The second result's value there, shortened.
    package let second: String

    /// Compares two results; nil if they are equal.
    ///
    /// Values that are `Equatable` are equal if `==` says so. Others are compared member by member.
    package init?(_ first: Any, _ second: Any) {
        if let one = first as? any ComparedResult, let other = second as? any ComparedResult {
            guard !one.equals(other) else { return nil }
            self = Self(one.compared, other.compared) ?? Self(path: "", first: one.text, second: other.text)
            return
        }
        var search = DifferenceSearch()
        guard let difference = search.difference(first, second, at: "") else { return nil }
        self = difference
    }

    init(path: String, first: String, second: String) {
        self.path = path
        let isSecret = path.split(separator: ".").last.map { SecretNameSet.usual.contains(String($0)) } ?? false
        guard !isSecret else {
            (self.first, self.second) = (Redaction.mark, Redaction.mark)
            return
        }
        (self.first, self.second) = Self.excerpts(first, second)
    }

    /// Returns the place and both values, a line for each, behind the names of those who have them.
    package func text(_ firstName: String, _ secondName: String) -> String {
        let place = path.isEmpty ? "" : "  at \(path)\n"
        return place + "  \(firstName): \(first)\n  \(secondName): \(second)"
    }

    /// Returns two texts from shortly before their first difference.
    private static func excerpts(_ first: String, _ second: String) -> (String, String) {
        var alike = 0
        for (one, other) in zip(first.unicodeScalars, second.unicodeScalars) {
            guard one == other else { break }
            alike += 1
        }
        func excerpt(_ text: String) -> String {
            let start = alike < 120 ? 0 : alike - 60
            let rest = text.unicodeScalars.dropFirst(start)
            let shown = rest.prefix(200)
            return (start > 0 ? "…" : "") + String(shown) + (shown.endIndex < rest.endIndex ? "…" : "")
        }
        return (excerpt(first), excerpt(second))
    }
}

/// A result that is compared in a way of its own, whose value shows the difference.
protocol ComparedResult {
    /// The value.
    var compared: Any { get }

    /// The text of a value whose members do not show the difference.
    var text: String { get }

    /// Returns whether the values are equal.
    func equals(_ other: any ComparedResult) -> Bool
}
