import Waybill

extension JSONValue {
    /// Returns the value as indented text.
    ///
    /// - Parameter first: the keys that stand first in their objects, in this order; the others follow by their names.
    /// - Returns: the text, without a line break at its end.
    package func indented(first: [String] = []) -> String {
        let ranks = Dictionary(first.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        var text = ""
        write(to: &text, indent: "", ranks)
        return text
    }

    private func write(to text: inout String, indent: String, _ ranks: [String: Int]) {
        let inner = indent + "  "
        switch self {
        case .array(let elements) where !elements.isEmpty:
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index > 0 ? ",\n" : "\n") + inner
                element.write(to: &text, indent: inner, ranks)
            }
            text += "\n\(indent)]"
        case .object(let members) where !members.isEmpty:
            text += "{"
            let sorted = members.sorted { left, right in
                let (leftRank, rightRank) = (ranks[left.key] ?? .max, ranks[right.key] ?? .max)
                return leftRank == rightRank ? left.key < right.key : leftRank < rightRank
            }
            for (index, member) in sorted.enumerated() {
                text += (index > 0 ? ",\n" : "\n") + inner
                Self.write(member.key, to: &text)
                text += ": "
                member.value.write(to: &text, indent: inner, ranks)
            }
            text += "\n\(indent)}"
        default: text += description
        }
    }
}
