extension Redaction {
    /// Returns a JSON value without the values of secret keys, at any depth that texts show, and in JSON that strings
    /// have.
    package static func json(_ value: JSONValue, secretNames: SecretNameSet, depth: Int = 64) -> JSONValue {
        guard depth > 0 else { return .string(mark) }
        switch value {
        case .object(let members):
            var redacted = members
            for (key, member) in members {
                redacted[key] =
                    secretNames.contains(key, of: member.stringValue ?? "")
                    ? .string(mark) : json(member, secretNames: secretNames, depth: depth - 1)
            }
            return .object(redacted)
        case .array(let list):
            return .array(list.map { json($0, secretNames: secretNames, depth: depth - 1) })
        case .string(let text) where text.utf8.contains(UInt8(ascii: "\"")):
            return .string(SecretMembers.removed(from: text, secretNames))
        default: return value
        }
    }
}
