import Waybill
import WaybillSystem

/// The clauses of a collection of a store: ``Delta``, ``Conflicts``, ``Index``, ``Keep``, ``Identifier`` and
/// ``OutboxEntry/Conversion``.
public struct CollectionClauses<Element: Sendable>: Sendable {
    var delta: Delta?
    var conflicts: Conflicts<Element>?
    var indexes: [Index<Element>] = []
    var identifier: Identifier?
    var keep: Keep<Element>?
    /// The addresses that the collection had in earlier versions of the program.
    var moved: [String] = []
    var conversion: OutboxEntry.Conversion?
    var errors: [DeclarationError] = []

    /// Creates an empty list.
    public init() {}

    init(
        delta: Delta? = nil,
        conflicts: Conflicts<Element>? = nil,
        indexes: [Index<Element>] = [],
        identifier: Identifier? = nil,
        keep: Keep<Element>? = nil,
        conversion: OutboxEntry.Conversion? = nil
    ) {
        self.delta = delta
        self.conflicts = conflicts
        self.indexes = indexes
        self.identifier = identifier
        self.keep = keep
        self.conversion = conversion
    }

    /// Collects the clauses of a closure.
    @resultBuilder
    public enum Builder {
        /// Adds a clause.
        public static func buildExpression(_ delta: Delta) -> CollectionClauses {
            CollectionClauses(delta: delta)
        }

        /// Adds a clause.
        public static func buildExpression(_ conflicts: Conflicts<Element>) -> CollectionClauses {
            CollectionClauses(conflicts: conflicts)
        }

        /// Adds a clause.
        public static func buildExpression(_ index: Index<Element>) -> CollectionClauses {
            CollectionClauses(indexes: [index])
        }

        /// Adds a clause.
        public static func buildExpression(_ identifier: Identifier) -> CollectionClauses {
            CollectionClauses(identifier: identifier)
        }

        /// Adds a clause.
        public static func buildExpression(_ keep: Keep<Element>) -> CollectionClauses {
            CollectionClauses(keep: keep)
        }

        /// Adds a clause.
        public static func buildExpression(_ conversion: OutboxEntry.Conversion) -> CollectionClauses {
            CollectionClauses(conversion: conversion)
        }

        /// Puts clauses together; a second one of a kind, but for indexes, is an error of every use of the collection.
        public static func buildBlock(_ clauses: CollectionClauses...) -> CollectionClauses {
            clauses.reduce(into: CollectionClauses()) { $0.add($1) }
        }

        /// Takes clauses that are there.
        public static func buildOptional(_ clauses: CollectionClauses?) -> CollectionClauses {
            clauses ?? CollectionClauses()
        }

        /// Takes the clauses of a branch.
        public static func buildEither(first clauses: CollectionClauses) -> CollectionClauses { clauses }

        /// Takes the clauses of a branch.
        public static func buildEither(second clauses: CollectionClauses) -> CollectionClauses { clauses }
    }

    private mutating func add(_ other: CollectionClauses) {
        add(\.delta, of: other, named: "Delta")
        add(\.conflicts, of: other, named: "Conflicts")
        add(\.identifier, of: other, named: "Identifier")
        add(\.keep, of: other, named: "Keep")
        add(\.conversion, of: other, named: "OutboxEntry.Conversion")
        for index in other.indexes {
            if indexes.contains(where: { $0.name == index.name }) {
                reject("Index", "\(index.name)", "another one has that name; give it one of its own: Index(…, name:)")
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
        if self[keyPath: clause] != nil { reject(name, "", "a collection has one; leave the other out") }
        self[keyPath: clause] = added
    }

    private mutating func reject(_ clause: String, _ value: String, _ reason: String) {
        errors.append(DeclarationError(clause: clause, value: value, reason: reason))
    }
}

extension CollectionClauses {
    /// Returns the clauses with the URLs that the list had in earlier versions of the program.
    func movedFrom(_ urls: [String]) -> CollectionClauses {
        var clauses = self
        clauses.moved = urls.map(Self.address)
        return clauses
    }

    /// Returns a URL with the items of its query in the order of their names, as addresses have them.
    private static func address(of url: String) -> String {
        func name(of item: Substring) -> String {
            let name = item.prefix { $0 != "=" }
            return PercentEncoding.decode(name) ?? String(name)
        }
        let parts = url.split(separator: "?", maxSplits: 1)
        let items = parts.dropFirst().first?.split(separator: "&").enumerated()
            .sorted { (name(of: $0.element), $0.offset) < (name(of: $1.element), $1.offset) }
            .map { $0.element }
        let query = items.map { "?" + $0.joined(separator: "&") } ?? ""
        return (parts.first.map(String.init) ?? "") + query
    }
}

/// A clause of a collection: the member of an item's JSON that is its id, if that is not `id`.
///
/// ```swift
/// Identifier("product_id")
/// ```
///
/// The store gives a new item its temporary id there.
public struct Identifier: Sendable {
    let key: String

    /// Declares the member.
    public init(_ key: String) { self.key = key }
}
