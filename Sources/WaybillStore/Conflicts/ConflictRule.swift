import Waybill
import WaybillSystem

/// A collection's conflict rule, applied to JSON documents.
struct ConflictRule: Sendable {
    /// The resolution of a conflict.
    enum Decision: Sendable, Equatable {
        /// Overwrite the server's version with the local one.
        case mine
        /// Drop the local version.
        case theirs
        /// Keep the local version, except for these members.
        case without(Clashes)
        /// Replace both versions with this document.
        case merged(JSONValue)
        /// Wait for a decision.
        case ask
        /// Park the write: merging failed, with this description.
        case failed(String)
    }

    /// Whether the rule applies to every different version on the server, even if no members clash.
    let appliesWithoutClashes: Bool

    /// Whether to read and compare an item without an entity tag before changing it.
    let readsBeforeWriting: Bool

    /// Decides how to resolve a conflict.
    ///
    /// - Parameters:
    ///   - base: the version before the local changes.
    ///   - mine: the local version; nil if the item was deleted locally.
    ///   - theirs: the server's version; nil if the server has deleted it.
    ///   - clashes: the members that both sides have changed to different values.
    let decide: @Sendable (_ base: JSONValue, _ mine: JSONValue?, _ theirs: JSONValue?, _ clashes: Clashes) -> Decision

    init<Element: Decodable & Encodable & Sendable>(
        _ conflicts: Store.Conflicts<Element>?,
        _ coding: ItemCoding<Element>
    ) {
        let form = conflicts?.form ?? .merge(.mine)
        readsBeforeWriting = conflicts?.readsBeforeWriting ?? true
        appliesWithoutClashes = if case .merge = form { false } else { true }
        decide = { (base, mine, theirs, clashes) in
            switch form {
            case .theirs: return .theirs
            case .ask: return .ask
            // The server has deleted an item that was changed locally. Only `.theirs` resolves this without a person.
            case _ where theirs == nil && mine != nil: return .ask
            case .mine, .merge(.mine): return .mine
            case .merge(.theirs): return mine == nil ? .theirs : .without(clashes)
            case .merge(.ask): return .ask
            case .function(let merge):
                guard let mine, let theirs else { return .ask }
                do {
                    let merged = try merge(coding.item(base), coding.item(mine), coding.item(theirs))
                    return .merged(try coding.changed(theirs, to: merged))
                } catch {
                    return .failed("\(error)")
                }
            }
        }
    }
}
