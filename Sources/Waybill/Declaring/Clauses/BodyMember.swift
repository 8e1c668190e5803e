/// A member of the request's body, beside the content of a call or in place of it.
///
/// For APIs whose operations take everything in the body, and for lists that are requested by POST:
///
/// ```swift
/// var experiments: Resource<Experiment, ReadWrite> {
///     resource("experiments") {
///         On(.list) {
///             POST("experiments/search")
///             BodyMember("max_results", 100)                // on the first page too
///         }
///         On(.delete) {
///             POST("experiments/delete")
///             BodyMember("experiment_id", .id)              // {"experiment_id":7}
///         }
///     }
/// }
/// ```
///
/// The member is at the top of a JSON object or a form, outside of the keys that ``Bodies`` puts around values. It
/// replaces an equal name of an outer scope, and of the value's own; a request without a body gets one. A nil value
/// declares nothing. A body of another kind, two members of one name in a scope, or the id in an operation that has
/// none, are declaration errors: nothing is sent.
public struct BodyMember: RepeatableClause {
    package enum Value: Sendable {
        /// A value, encoded by the encoder in scope.
        case value(any Encodable & Sendable)
        /// The id of the operation.
        case id
    }

    private let name: String
    private let value: Value?

    /// Declares a value under a name.
    public init(_ name: String, _ value: (some Encodable & Sendable)?) {
        self.name = name
        self.value = value.map { .value($0) }
    }

    /// Declares the argument of an operation: its id, as the entity's `Codable` form writes it.
    public init(_ name: String, _ argument: Argument) {
        self.name = name
        switch argument {
        case .id: value = .id
        }
    }

    /// Declares the member.
    public func declare(in scope: inout Scope) {
        guard let value else { return }
        scope.declare(BodyMembers(members: [(name, value)]))
    }
}

extension BodyMember {
    /// The argument of a resource's operation, for clauses that put it elsewhere than into the path.
    public enum Argument: Sendable, Hashable {
        /// The id of the item.
        case id
    }
}

/// The members that the scopes of a call declare, those of outer scopes first.
package struct BodyMembers: Setting {
    package static let clauseName = "BodyMember"

    package let members: [(name: String, value: BodyMember.Value)]

    /// The declaration errors of scopes that declare a name twice.
    package private(set) var declarationErrors: [DeclarationError] = []

    package init(members: [(name: String, value: BodyMember.Value)]) { self.members = members }

    package static var accumulates: Bool { true }

    package func merged(over outer: BodyMembers) -> BodyMembers {
        let kept = outer.members.filter { outer in !members.contains { $0.name.hasSameBytes(as: outer.name) } }
        var merged = BodyMembers(members: kept + members)
        merged.declarationErrors = outer.declarationErrors + declarationErrors
        return merged
    }

    package func joined(after earlier: BodyMembers) -> BodyMembers {
        var joined = merged(over: earlier)
        for (name, _) in members where earlier.members.contains(where: { $0.name.hasSameBytes(as: name) }) {
            joined.declarationErrors.append(
                DeclarationError(
                    clause: "BodyMember",
                    value: "\"\(name)\"",
                    reason: "the same scope declares it twice; keep one, whose value may be a list"
                )
            )
        }
        return joined
    }

    package var summary: String { members.map(\.name).joined(separator: ", ") }
}
