import WaybillJSON

extension JSONValue {
    /// Returns a request's body with the values at secret paths replaced, except for null.
    ///
    /// - Parameters:
    ///   - names: the secrets, including the paths to replace.
    ///   - replacement: returns the replacement for a value.
    /// - Returns: the changed body.
    package func replacingSecrets(
        at names: SecretNameSet,
        by replacement: (JSONValue) -> JSONValue = { _ in .string(Redaction.mark) }
    ) -> JSONValue {
        names.bodyPaths.reduce(self) { $0.replacing(at: $1[...], by: replacement) }
    }

    private func replacing(
        at path: ArraySlice<SecretNameSet.BodyStep>,
        by replacement: (JSONValue) -> JSONValue
    ) -> JSONValue {
        guard let first = path.first else { return isNull ? self : replacement(self) }
        switch (first, self) {
        case (.key(let key), .object(var members)):
            guard let member = members[key] else { return self }
            members[key] = member.replacing(at: path.dropFirst(), by: replacement)
            return .object(members)
        case (.index(let index), .array(var elements)):
            guard let place = elements.place(ofIndex: index) else { return self }
            elements[place] = elements[place].replacing(at: path.dropFirst(), by: replacement)
            return .array(elements)
        default: return self
        }
    }
}

extension [JSONValue] {
    /// Returns the array index for a path index, which counts from the end if negative; nil if out of bounds.
    fileprivate func place(ofIndex index: Int) -> Int? {
        let (position, overflow) = index < 0 ? count.addingReportingOverflow(index) : (index, false)
        return !overflow && indices.contains(position) ? position : nil
    }
}

extension Redaction {
    /// Returns a request's JSON body with its secrets redacted.
    package static func requestJSON(_ value: JSONValue, secretNames: SecretNameSet) -> JSONValue {
        json(value.replacingSecrets(at: secretNames), secretNames: secretNames)
    }
}
