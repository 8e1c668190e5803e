import WaybillSystem

/// Keys as `snake_case` and as `camelCase`.
enum SnakeCase {
    /// Converts a key to camel case, as Foundation does: underscores between words go, and each word but the first
    /// begins with a capital; underscores in front and behind stay.
    static func camelCase(_ key: String) -> String {
        guard let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" }) else {
            return key
        }
        let words = key[first...last].split(separator: "_")
        let joined: String
        if words.count == 1 {
            joined = String(key[first...last])
        } else {
            joined = ([words[0].lowercased()] + words.dropFirst().map(\.capitalized)).joined()
        }
        return key[..<first] + joined + key[key.index(after: last)...]
    }
}
