import Waybill

/// The members that both sides have changed to different values since the base version.
struct Clashes: Sendable, Equatable {
    /// The paths of the members.
    private(set) var paths: [[String]] = []

    /// Creates an empty list.
    init() {}

    /// Finds the clashes between local changes and the server's version.
    ///
    /// Objects are compared member by member, and other values as a whole.
    ///
    /// - Parameters:
    ///   - changes: the local changes, as a merge patch.
    ///   - base: the version before the local changes.
    ///   - theirs: the server's version.
    init(of changes: JSONValue, base: JSONValue, theirs: JSONValue) {
        collect(changes, base, theirs, at: [])
    }

    private mutating func collect(_ change: JSONValue, _ base: JSONValue?, _ theirs: JSONValue?, at path: [String]) {
        if base == theirs { return }
        if let members = change.objectValue, theirs?.objectValue != nil || theirs == nil,
            base?.objectValue != nil || base == nil, !path.isEmpty || theirs != nil
        {
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                collect(member, base?[key], theirs?[key], at: path + [key])
            }
            return
        }
        // In a merge patch, null removes a member.
        if change != theirs ?? .null { paths.append(path) }
    }

    /// Whether there are no clashes.
    var isEmpty: Bool { paths.isEmpty }

    /// Returns a merge patch without the clashing members.
    func removed(from changes: JSONValue) -> JSONValue {
        paths.reduce(changes) { $0.removingMember(at: $1[...]) }
    }
}

extension JSONValue {
    /// Returns the value without a member, and without enclosing objects left empty by its removal.
    fileprivate func removingMember(at path: ArraySlice<String>) -> JSONValue {
        guard let key = path.first, var members = objectValue, let member = members[key] else { return self }
        let rest = path.dropFirst()
        if !rest.isEmpty, let changed = member.removingMember(at: rest).objectValue, !changed.isEmpty {
            members[key] = .object(changed)
        } else {
            members.removeValue(forKey: key)
        }
        return .object(members)
    }
}
