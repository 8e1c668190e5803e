/// One item of a query, not encoded.
package struct QueryItem: Sendable, Hashable {
    /// The name.
    package let name: String

    /// The pieces of the value, which a comma joins; nil for a name without a value.
    package let pieces: [String]?

    /// Whether texts leave the value out.
    package let isSecret: Bool

    package init(name: String, pieces: [String]?, isSecret: Bool = false) {
        self.name = name
        self.pieces = pieces
        self.isSecret = isSecret
    }

    package init(name: String, value: String, isSecret: Bool = false) {
        self.init(name: name, pieces: [value], isSecret: isSecret)
    }

    /// The item as a URL has it.
    ///
    /// Whatever is not unreserved is encoded, the `+` and brackets included, so that no server can read it otherwise;
    /// only the commas between pieces stand as they are.
    package var encoded: String {
        let name = PercentEncoding.encode(name)
        guard let pieces else { return name }
        return name + "=" + pieces.map(PercentEncoding.encode).joined(separator: ",")
    }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
    /// The item, redacted where it is secret.
    package var description: String {
        isSecret || SecretNameSet.usual.contains(name) ? "\(name)=\(Redaction.mark)" : encoded
    }

    package var customMirror: Mirror { Mirror(self, children: ["item": description], displayStyle: .struct) }
}
