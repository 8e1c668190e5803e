import WaybillSystem

extension HTTPRequest {
    /// Returns the names of the secret header fields and query items that a signer added or changed.
    func names(addedTo unsigned: HTTPRequest) -> [String] {
        let fields = headerFields.filter { field in
            !Self.open.contains(field.name.canonicalName) && !unsigned.headerFields.contains { $0 == field }
        }
        let names = fields.map(\.name.canonicalName)
        // Most signers add only fields, and parsing two equal URLs costs about 40 allocations.
        guard url != unsigned.url else { return names }
        let known = Set(unsigned.queryItems)
        return names + queryItems.filter { !known.contains($0) }.map(\.name)
    }

    private var queryItems: [URLQueryItem] {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    }

    /// Fields added by signers that contain no secret (RFC 9421, section 4.1; RFC 9530).
    private static let open: Set<String> = [
        "date", "host", "content-digest", "repr-digest", "digest", "content-type", "content-length", "signature-input",
    ]
}
