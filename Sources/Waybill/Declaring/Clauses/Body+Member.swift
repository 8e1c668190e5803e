extension Body {
    /// A member of the request body, sent with a call's content or on its own.
    ///
    /// Use it for APIs that take all arguments in the body, and for lists requested with POST:
    ///
    /// ```swift
    /// var experiments: Resource<Experiment, ReadWrite> {
    ///     resource("experiments") {
    ///         On(.list) {
    ///             POST("experiments/search")
    ///             Body.Member("max_results", 100)                // on the first page too
    ///         }
    ///         On(.delete) {
    ///             POST("experiments/delete")
    ///             Body.Member("experiment_id", .id)              // {"experiment_id":7}
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// To nest the value, pass a path of keys and array indices:
    ///
    /// ```swift
    /// Body.Member(["Key", "id", "S"], .id)          // {"Key":{"id":{"S":"a"}}}
    /// Body.Member(["arguments", "ids", 0], .id)     // {"arguments":{"ids":[7]}}
    /// Body.Member(["arguments", "force"], true)     // {"arguments":{"ids":[7],"force":true}}
    /// ```
    ///
    /// The path starts at the top level of a JSON object or a form, outside the keys that ``Body/Format`` puts around
    /// values. A member replaces any member at the same path in an outer scope or in the value itself. If there is no
    /// body, one is created. A nil value declares nothing; `Body.Member(removing:)` removes a member of an outer scope.
    ///
    /// The following are declaration errors, and nothing is sent: a body that is neither a JSON object nor a form, two
    /// members with the same path in one scope, a path through a value without members, and `.id` in an operation
    /// without an id.
    public struct Member: Scope.RepeatableClause {
        package enum Value: Sendable {
            /// A value, encoded with the encoder in scope.
            case value(any Encodable & Sendable)
            /// The id of the operation.
            case id
        }

        private let path: [EnvelopeKey]
        private let value: Value?
        private let removes: Bool

        /// Declares a member with a name and a value.
        ///
        /// - Parameters:
        ///   - name: the name of the member.
        ///   - value: the value; nil declares nothing.
        public init(_ name: String, _ value: (some Encodable & Sendable)?) { self.init([.key(name)], value) }

        /// Declares a member with the operation's id, encoded as in the entity.
        ///
        /// - Parameters:
        ///   - name: the name of the member.
        ///   - argument: the argument of the operation.
        public init(_ name: String, _ argument: Argument) { self.init([.key(name)], argument) }

        /// Declares a member at a path.
        ///
        /// - Parameters:
        ///   - path: the keys and array indices leading to the value, outermost first. Indices start at 0; the index
        ///     after the last element appends an element. The first component must be a key.
        ///   - value: the value; nil declares nothing.
        public init(_ path: [EnvelopeKey], _ value: (some Encodable & Sendable)?) {
            self.path = path
            self.value = value.map { .value($0) }
            removes = false
        }

        /// Declares a member at a path with the operation's id, encoded as in the entity.
        ///
        /// - Parameters:
        ///   - path: the keys and array indices leading to the value, outermost first. Indices start at 0.
        ///   - argument: the argument of the operation.
        public init(_ path: [EnvelopeKey], _ argument: Argument) {
            self.path = path
            removes = false
            switch argument {
            case .id: value = .id
            }
        }

        /// Removes a member declared in an outer scope, and all members below it.
        ///
        /// Members of the value itself are kept.
        ///
        /// - Parameters:
        ///   - key: the outermost key of the member.
        ///   - keys: the keys and array indices below it.
        public init(removing key: EnvelopeKey, _ keys: EnvelopeKey...) {
            path = [key] + keys
            value = nil
            removes = true
        }

        /// Declares the member.
        ///
        /// - Parameter scope: the enclosing scope.
        public func declare(in scope: inout Scope) {
            if removes { scope.declare(BodyMembers(members: [], removedPaths: [path])) }
            guard let value else { return }
            scope.declare(BodyMembers(members: [(path, value)]))
        }
    }
}

extension Body.Member {
    /// An argument of a resource operation, for clauses that use it outside the path.
    public enum Argument: Sendable, Hashable {
        /// The id of the item.
        case id
    }
}

/// The members declared in a call's scopes, outermost first.
package struct BodyMembers: Setting {
    package static let clauseName = "Body.Member"

    package let members: [(path: [EnvelopeKey], value: Body.Member.Value)]

    /// The paths of outer scopes' members to remove.
    private let removedPaths: [[EnvelopeKey]]

    /// The declaration errors for scopes that declare a path twice.
    package private(set) var declarationErrors: [Scope.DeclarationError] = []

    package init(members: [(path: [EnvelopeKey], value: Body.Member.Value)], removedPaths: [[EnvelopeKey]] = []) {
        self.members = members
        self.removedPaths = removedPaths
    }

    package static var accumulates: Bool { true }

    /// Whether there are neither members nor errors.
    var isEmpty: Bool { members.isEmpty && declarationErrors.isEmpty }

    package func merged(over outer: BodyMembers) -> BodyMembers {
        let kept = outer.members.filter { outer in
            !members.contains { $0.path.hasSameBytes(as: outer.path) }
                && !removedPaths.contains { outer.path.prefix($0.count).hasSameBytes(as: $0) }
        }
        var merged = BodyMembers(members: kept + members, removedPaths: outer.removedPaths + removedPaths)
        merged.declarationErrors = outer.declarationErrors + declarationErrors
        return merged
    }

    package func joined(after earlier: BodyMembers) -> BodyMembers {
        var joined = merged(over: earlier)
        for (path, _) in members {
            // A later value at the same or a shorter path would replace the earlier value.
            guard let other = earlier.members.first(where: { $0.path.prefix(path.count).hasSameBytes(as: path) })
            else { continue }
            let reason =
                other.path.count == path.count
                ? "the same scope declares it twice; keep one, whose value may be a list"
                : "the same scope declares \(other.path.memberDescription) within it; declare that one after it"
            joined.declarationErrors.append(
                Scope.DeclarationError(clause: "Body.Member", value: path.memberDescription, reason: reason)
            )
        }
        return joined
    }

    package var summary: String {
        (removedPaths.map { "removing \($0.pathDescription)" } + members.map { $0.path.pathDescription })
            .joined(separator: ", ")
    }
}

extension Collection<EnvelopeKey> {
    /// The path as written in a clause: `"name"`, `["Key", "id"]`.
    var memberDescription: String {
        if count == 1, case .key(let name) = first { return "\"\(name)\"" }
        let steps = map { step in
            switch step {
            case .key(let key): "\"\(key)\""
            case .index(let index): "\(index)"
            }
        }
        return "[\(steps.joined(separator: ", "))]"
    }

    /// Whether two paths have the same bytes.
    ///
    /// The `==` operator compares keys by canonical equivalence instead.
    fileprivate func hasSameBytes(as other: some Collection<EnvelopeKey>) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { own, other in
                guard case (.key(let own), .key(let other)) = (own, other) else { return own == other }
                return own.hasSameBytes(as: other)
            }
    }
}
