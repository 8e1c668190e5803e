extension Redaction {
    /// Returns the value of a field without secrets.
    package static func value(of field: HTTPField, secretNames: SecretNameSet) -> String {
        guard field.isSensitive || secretNames.contains(field.name) else {
            return holdsURLs(field.name)
                ? url(text: field.value, secretNames: secretNames, isRedirect: field.name == .location)
                : removing(secretNames.longValues, from: field.value)
        }
        // The scheme of a credential tells its kind without revealing it.
        if field.name == .authorization, let space = field.value.firstIndex(of: " ") {
            return field.value[...space] + mark
        }
        return mark
    }

    /// Returns fields without the values of secret ones.
    package static func fields(_ fields: HTTPFields, secretNames: SecretNameSet) -> HTTPFields {
        HTTPFields(fields.map { HTTPField(name: $0.name, value: value(of: $0, secretNames: secretNames)) })
    }

    /// Whether the values of a field are URLs, which may have secrets in their queries.
    private static func holdsURLs(_ name: HTTPField.Name) -> Bool {
        name == .location || name == .contentLocation || name == .link || name.canonicalName == "referer"
            || name.canonicalName == "refresh"
    }
}

extension SecretNameSet {
    /// Whether the name of a field is in the set.
    package func contains(_ name: HTTPField.Name) -> Bool { contains(name.canonicalName) }
}
