/// One key in its several spellings: `next_page`, `nextPage` and `Next-Page`.
package enum KeySpelling {
    /// Returns the key without regard to case, `_` and `-`: equal for all spellings of one key.
    package static func folded(_ key: String) -> String {
        let isPlain = key.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) }
        return isPlain ? key : key.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}
