import Foundation

extension HTTPRequest {
    /// The names of the fields and query items that a signer has put in, but for those that are no secrets.
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

    /// Fields that say when something was signed and of what (RFC 9421, section 4.1; RFC 9530), not by whom.
    private static let open: Set<String> = [
        "date", "host", "content-digest", "repr-digest", "digest", "content-type", "content-length", "signature-input",
    ]
}
