/// Coding paths as text: `data[3].price`, `data["odd key"]`.
package enum CodingPathText {
    /// Writes a path; that of the whole document is empty.
    ///
    /// Keys that are not made of letters, digits, `_` and `$` are quoted; of a long key, the first 32 characters are
    /// written.
    package static func text(of path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            let name = key.stringValue
            if let index = key.intValue, name == "\(index)" || name.hasPrefix("Index ") {
                text += "[\(index)]"
            } else if isPlain(name) {
                text += (text.isEmpty ? "" : ".") + JSONText.shortened(name)
            } else {
                text += "[\"" + quoted(name) + "\"]"
            }
        }
        return text
    }

    /// Returns a key in quotation marks.
    package static func quoted(_ name: String) -> String {
        JSONText.shortened(name).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, !first.isNumber else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    }
}
