import WaybillSystem

/// The secrets of a path, for which a cursor has marks: `‹secret 1›`.
enum PathSecrets {
    /// Returns a path with a mark in place of each secret.
    static func removing(_ secrets: [String], from path: String) -> String {
        guard !secrets.isEmpty else { return path }
        return mapped(path) { segment in
            for (index, secret) in secrets.enumerated() {
                // A short text may be in another segment too, and is a secret only if it is the whole segment.
                if segment == secret { return mark(index) }
                if secret.count >= 4, segment.contains(secret) {
                    return segment.replacing(bytes: secret, with: mark(index))
                }
            }
            return segment
        }
    }

    /// Returns a path with the secrets in place of their marks.
    static func restoring(_ secrets: [String], in path: String) -> String {
        var restored = path
        for (index, secret) in secrets.enumerated() {
            restored = restored.replacing(bytes: mark(index), with: secret)
        }
        return restored
    }

    private static func mark(_ index: Int) -> String { PercentEncoding.encode("‹secret \(index + 1)›") }

    private static func mapped(_ path: String, _ transform: (String) -> String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { transform(String($0)) }
            .joined(separator: "/")
    }
}
