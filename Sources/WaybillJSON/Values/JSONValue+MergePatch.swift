extension JSONValue {
    /// Returns the JSON Merge Patch that turns one value into another (RFC 7396); nil if the two are equal.
    ///
    /// Objects are compared key by key at any depth: equal members are left out, a missing key becomes `null`. Any
    /// other value, arrays included, is sent whole.
    ///
    /// ```swift
    /// let patch = JSONValue.mergePatch(
    ///     from: ["name": "Lamp", "price": 30, "sale": true],
    ///     to:   ["name": "Lamp", "price": 25]
    /// )                                                  // {"price":25,"sale":null}
    /// ```
    ///
    /// In a merge patch `null` means "remove this key", so RFC 7396 cannot express that a key is to *be* `null`. If
    /// `new` has a key with the value `null`, in an object of the patch, the patch carries that `null`, and the server
    /// removes the key (or does not add it). For a server that treats a missing key and `null` alike, that is the same;
    /// for one that does not, send the whole value instead. A `null` inside an array is kept.
    ///
    /// - Parameters:
    ///   - old: the value that the server has.
    ///   - new: the value that it is to have.
    /// - Returns: the patch, an object if both values are objects; nil if they are equal.
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

    /// Returns the value after a JSON Merge Patch has been applied to it (RFC 7396, section 2).
    ///
    /// An object as the patch sets the keys it has and removes those that are `null` in it, at any depth; any other
    /// patch replaces the value.
    ///
    /// - Parameter patch: the patch; one that is not an object is the result.
    /// - Returns: the changed value.
    public func applying(mergePatch patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = objectValue ?? [:]
        for (key, change) in changes {
            members[key] = change.isNull ? .none : (members[key] ?? .null).applying(mergePatch: change)
        }
        return .object(members)
    }

    /// Returns this value merged over another: at any depth, an object keeps the keys of the other one that it lacks
    /// itself.
    ///
    /// It is for servers whose responses have only some fields of an object. Unlike in a merge patch, `null` is a value
    /// like any other: it replaces the other value. The result of anything but two objects is this value.
    ///
    /// ```swift
    /// let response: JSONValue = ["price": 25, "sale": nil]
    /// response.merging(over: ["name": "Lamp", "price": 30, "sale": true])    // {"name":"Lamp","price":25,"sale":null}
    /// ```
    ///
    /// - Parameter base: the value of which this one has only some members.
    /// - Returns: the merged value.
    public func merging(over base: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let baseMembers) = base else { return self }
        return .object(baseMembers.merging(members) { base, own in own.merging(over: base) })
    }
}
