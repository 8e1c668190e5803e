#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPRequest {
    /// Returns the names of the fields and query items that a signer has added, without those that are no secrets.
    func names(addedTo unsigned: HTTPRequest) -> [String] {
        let fields = headerFields.filter { field in
            !Self.open.contains(field.name.canonicalName) && !unsigned.headerFields.contains { $0 == field }
        }
        let known = Set(unsigned.queryItems)
        return fields.map(\.name.canonicalName) + queryItems.filter { !known.contains($0) }.map(\.name)
    }

    private var queryItems: [URLQueryItem] {
        URLComponents(url: url.value, resolvingAgainstBaseURL: false)?.queryItems ?? []
    }

    /// Fields with the date and the covered parts of a signature (RFC 9421, section 4.1; RFC 9530), not with its key.
    private static let open: Set<String> = [
        "date", "host", "content-digest", "repr-digest", "digest", "content-type", "content-length", "signature-input",
    ]
}
