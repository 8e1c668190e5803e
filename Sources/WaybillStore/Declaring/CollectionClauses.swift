import Waybill
import WaybillSystem

/// The clauses of a stored collection: ``Store/Delta``, ``Store/Conflicts``, ``Store/Index``, ``Store/Keep``,
/// ``Store/Identifier`` and ``OutboxEntry/Conversion``.
public struct CollectionClauses<Element: Sendable>: Sendable {
    var delta: Store.Delta?
    var conflicts: Store.Conflicts<Element>?
    var indexes: [Store.Index<Element>] = []
    var identifier: Store.Identifier?
    var keep: Store.Keep<Element>?
    /// The collection's addresses in earlier versions of the app.
    var formerAddresses: [String] = []
    var conversion: OutboxEntry.Conversion?
    var errors: [Scope.DeclarationError] = []

    /// Creates an empty list.
    public init() {}

    init(
        delta: Store.Delta? = nil,
        conflicts: Store.Conflicts<Element>? = nil,
        indexes: [Store.Index<Element>] = [],
        identifier: Store.Identifier? = nil,
        keep: Store.Keep<Element>? = nil,
        conversion: OutboxEntry.Conversion? = nil
    ) {
        self.delta = delta
        self.conflicts = conflicts
        self.indexes = indexes
        self.identifier = identifier
        self.keep = keep
        self.conversion = conversion
    }

    /// A result builder that collects the clauses of a closure.
    @resultBuilder
    public enum Builder {
        /// Adds a strategy for fetching changes.
        ///
        /// - Parameter delta: the clause.
        /// - Returns: a list with the clause.
        public static func buildExpression(_ delta: Store.Delta) -> CollectionClauses {
            CollectionClauses(delta: delta)
        }

        /// Adds a rule for resolving conflicts.
        ///
        /// - Parameter conflicts: the clause.
        /// - Returns: a list with the clause.
        public static func buildExpression(_ conflicts: Store.Conflicts<Element>) -> CollectionClauses {
            CollectionClauses(conflicts: conflicts)
        }

        /// Adds an index.
        ///
        /// - Parameter index: the clause.
        /// - Returns: a list with the clause.
        public static func buildExpression(_ index: Store.Index<Element>) -> CollectionClauses {
            CollectionClauses(indexes: [index])
        }

        /// Adds the name of the member that contains the id.
        ///
        /// - Parameter identifier: the clause.
        /// - Returns: a list with the clause.
        public static func buildExpression(_ identifier: Store.Identifier) -> CollectionClauses {
            CollectionClauses(identifier: identifier)
        }

        /// Adds a limit on the number or age of rows.
        ///
        /// - Parameter keep: the clause.
        /// - Returns: a list with the clause.
        public static func buildExpression(_ keep: Store.Keep<Element>) -> CollectionClauses {
            CollectionClauses(keep: keep)
        }

        /// Adds a conversion of pending writes.
        ///
        /// - Parameter conversion: the clause.
        /// - Returns: a list with the clause.
        public static func buildExpression(_ conversion: OutboxEntry.Conversion) -> CollectionClauses {
            CollectionClauses(conversion: conversion)
        }

        /// Combines clauses.
        ///
        /// A collection can have several indexes, but only one clause of any other kind. If a clause is repeated, every
        /// operation of the collection throws an error.
        ///
        /// - Parameter clauses: the lists to combine.
        /// - Returns: the combined list.
        public static func buildBlock(_ clauses: CollectionClauses...) -> CollectionClauses {
            clauses.reduce(into: CollectionClauses()) { $0.add($1) }
        }

        /// Uses the clauses of an `if` without an `else`.
        ///
        /// - Parameter clauses: the clauses; nil if the condition is false.
        /// - Returns: the clauses, or an empty list.
        public static func buildOptional(_ clauses: CollectionClauses?) -> CollectionClauses {
            clauses ?? CollectionClauses()
        }

        /// Uses the clauses of the first branch.
        ///
        /// - Parameter clauses: the clauses.
        /// - Returns: the same clauses.
        public static func buildEither(first clauses: CollectionClauses) -> CollectionClauses { clauses }

        /// Uses the clauses of the second branch.
        ///
        /// - Parameter clauses: the clauses.
        /// - Returns: the same clauses.
        public static func buildEither(second clauses: CollectionClauses) -> CollectionClauses { clauses }
    }

    private mutating func add(_ other: CollectionClauses) {
        add(\.delta, of: other, named: "Store.Delta")
        add(\.conflicts, of: other, named: "Store.Conflicts")
        add(\.identifier, of: other, named: "Store.Identifier")
        add(\.keep, of: other, named: "Store.Keep")
        add(\.conversion, of: other, named: "OutboxEntry.Conversion")
        for index in other.indexes {
            if indexes.contains(where: { $0.name == index.name }) {
                reject(
                    "Store.Index",
                    "\(index.name)",
                    "another index has this name; choose a different one: Store.Index(…, name:)"
                )
            }
            indexes.append(index)
        }
        errors += other.errors
    }

    private mutating func add<Clause>(
        _ clause: WritableKeyPath<Self, Clause?>,
        of other: Self,
        named name: String
    ) {
        guard let added = other[keyPath: clause] else { return }
        if self[keyPath: clause] != nil { reject(name, "", "a collection can have only one; remove the other") }
        self[keyPath: clause] = added
    }

    private mutating func reject(_ clause: String, _ value: String, _ reason: String) {
        errors.append(Scope.DeclarationError(clause: clause, value: value, reason: reason))
    }
}

extension CollectionClauses {
    /// Returns a copy with the list's URLs in earlier versions of the app.
    func movedFrom(_ urls: [String]) -> CollectionClauses {
        var clauses = self
        clauses.formerAddresses = urls.map(Self.address)
        return clauses
    }

    /// Returns the address for the given URL, with its query items sorted by name.
    private static func address(of url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1)
        let query = parts.dropFirst().first.map { "?" + EncodedItem.all(in: $0).sortedByName.encodedText } ?? ""
        return (parts.first.map(String.init) ?? "") + query
    }
}

extension Store {
    /// A clause of a collection: the JSON member that contains an item's id, if its name is not `id`.
    ///
    /// ```swift
    /// Store.Identifier("product_id")
    /// ```
    ///
    /// The store sets this member to the temporary id of a new item.
    public struct Identifier: Sendable {
        let key: String

        /// Declares the member.
        ///
        /// - Parameter key: the name of the member.
        public init(_ key: String) { self.key = key }
    }
}
