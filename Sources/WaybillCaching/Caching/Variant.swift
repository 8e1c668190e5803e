import Waybill

/// The request fields that selected a response, with a digest of their values (RFC 9111, section 4.1).
struct Variant: Sendable, Hashable {
    /// The names in `Vary`, lowercased and sorted.
    let names: [String]

    /// A digest of the values in the request.
    let digest: String

    /// Creates the variant of a response; returns nil for `Vary: *` or an invalid name, which no request can match.
    init?(of fields: HTTPFields, to request: HTTPRequest, digest: ([String]) -> String) {
        let names = Set(
            fields[values: .vary].flatMap { $0.split(separator: ",") }
                .map { HTTPField(name: .vary, value: String($0)).value.asciiLowercased }
                .filter { !$0.isEmpty }
        )
        guard names.allSatisfy({ $0 != "*" && HTTPField.Name($0) != nil }) else { return nil }
        self.init(names: names.sorted(), request: request, digest: digest)
    }

    init(names: [String], digest: String) {
        self.names = names
        self.digest = digest
    }

    /// Whether a request has the same values for these fields.
    func matches(_ request: HTTPRequest, digest: ([String]) -> String) -> Bool {
        Variant(names: names, request: request, digest: digest) == self
    }

    private init(names: [String], request: HTTPRequest, digest: ([String]) -> String) {
        self.names = names
        self.digest =
            names.isEmpty
            ? "any"
            : digest(
                names.flatMap { name in
                    [name] + (request.headerFields[name].map { ["=", Self.normalized($0)] } ?? ["absent"])
                }
            )
    }

    /// Returns the value with white space normalized, including around commas, where it is insignificant.
    private static func normalized(_ value: String) -> String {
        value.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.split { $0 == " " || $0 == "\t" }.joined(separator: " ") }.joined(separator: ",")
    }
}
