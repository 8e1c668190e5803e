extension Redaction {
    /// Returns a JSON value without the values of secret keys, at any depth that texts show.
    package static func json(_ value: JSONValue, secretNames: SecretNameSet, depth: Int = 64) -> JSONValue {
        guard depth > 0 else { return .string(mark) }
        if let object = value.objectValue {
            var redacted = object
            for (key, member) in object {
                redacted[key] =
                    secretNames.contains(key)
                    ? .string(mark) : json(member, secretNames: secretNames, depth: depth - 1)
            }
            return .object(redacted)
        }
        if let list = value.arrayValue {
            return .array(list.map { json($0, secretNames: secretNames, depth: depth - 1) })
        }
        return value
    }
}
