extension JSONValue {
    /// Returns the JSON Merge Patch (RFC 7396) that turns one value into another; nil if the two are equal.
    ///
    /// Objects are compared key by key at every depth: equal members are omitted, and a missing key becomes `null`. Any
    /// other value, including an array, is sent whole.
    ///
    /// ```swift
    /// let patch = JSONValue.mergePatch(
    ///     from: ["name": "Lamp", "price": 30, "sale": true],
    ///     to:   ["name": "Lamp", "price": 25]
    /// )                                                  // {"price":25,"sale":null}
    /// ```
    ///
    /// In a merge patch, `null` means "remove this key", so a patch cannot set a key *to* `null`. If a key of `new` has
    /// the value `null`, the patch contains that `null`, and the server removes the key or does not add it. If the
    /// server distinguishes a missing key from `null`, send the whole value instead. A `null` inside an array is kept.
    ///
    /// - Parameters:
    ///   - old: the server's current value.
    ///   - new: the desired value.
    /// - Returns: the patch, which is an object if both values are objects; nil if they are equal.
    public static func mergePatch(from old: JSONValue, to new: JSONValue) -> JSONValue? {
        guard case .object(let oldMembers) = old, case .object(let newMembers) = new else {
            return old.isIdentical(to: new) ? .none : .some(new)
        }
        var patch: [String: JSONValue] = [:]
        for key in oldMembers.keys where newMembers[key] == .none {
            patch[key] = .some(.null)
        }
        for (key, value) in newMembers {
            if let oldValue = oldMembers[key] {
                patch[key] = mergePatch(from: oldValue, to: value)
            } else {
                patch[key] = value
            }
        }
        return patch.isEmpty ? .none : .some(.object(patch))
    }

    /// Returns the value with a JSON Merge Patch applied to it (RFC 7396, section 2).
    ///
    /// If the patch is an object, its members are set, and keys whose value is `null` are removed, at every depth. Any
    /// other patch replaces the value.
    ///
    /// - Parameter patch: the patch; if it is not an object, it is the result.
    /// - Returns: the changed value.
    public func applying(mergePatch patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = objectValue ?? [:]
        for (key, change) in changes {
            members[key] = change.isNull ? .none : (members[key] ?? .null).applying(mergePatch: change)
        }
        return .object(members)
    }

    /// Returns this value merged over another one, recursively for objects; this value's members take precedence.
    ///
    /// Use this method for responses that contain only some members of an object. Unlike in a merge patch, `null` is an
    /// ordinary value and replaces the value from `base`. If either value is not an object, the result is this value.
    ///
    /// ```swift
    /// let response: JSONValue = ["price": 25, "sale": nil]
    /// response.merging(over: ["name": "Lamp", "price": 30, "sale": true])    // {"name":"Lamp","price":25,"sale":null}
    /// ```
    ///
    /// - Parameter base: the value that supplies the missing members.
    /// - Returns: the merged value.
    public func merging(over base: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let baseMembers) = base else { return self }
        return .object(baseMembers.merging(members) { base, own in own.merging(over: base) })
    }
}
