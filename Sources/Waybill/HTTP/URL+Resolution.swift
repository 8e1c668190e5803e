import Foundation

extension URL {
    /// A reference resolved against a base (RFC 3986, section 5.2), without its fragment; nil where that is no URL of
    /// HTTP.
    package static func resolved(_ reference: String, against base: URL) -> URL? {
        let trimmed = reference.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, let resolved = URL(string: trimmed, relativeTo: base)?.absoluteURL,
            let scheme = resolved.scheme?.lowercased(), scheme == "http" || scheme == "https",
            Origin(resolved) != nil
        else { return nil }
        guard resolved.fragment != nil else { return resolved }
        return resolved.absoluteString.firstIndex(of: "#").flatMap {
            URL(string: String(resolved.absoluteString[..<$0]))
        }
    }
}
