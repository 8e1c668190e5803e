import Waybill
import WaybillSystem

/// The rule of a collection's conflicts, on documents.
struct ConflictRule: Sendable {
    enum Decision: Sendable, Equatable {
        /// The version here stays, over the server's.
        case mine
        /// The version here is dropped.
        case theirs
        /// The version here stays, but for these members.
        case without(Clashes)
        /// The item becomes this one.
        case merged(JSONValue)
        /// A person decides.
        case ask
        /// The function of the app failed.
        case failed(String)
    }

    /// Whether it decides on every other version of the server, not only on members that both have changed.
    let isWhole: Bool

    /// Whether an item without an entity tag is read and compared before it is changed.
    let readsBeforeWriting: Bool

    /// Decides on a conflict.
    ///
    /// - Parameters:
    ///   - base: the version that was edited.
    ///   - mine: the item as it is seen here; nil if it was deleted.
    ///   - theirs: the server's version; nil if the server has deleted it.
    ///   - clashes: the members that both have changed.
    let decide: @Sendable (_ base: JSONValue, _ mine: JSONValue?, _ theirs: JSONValue?, _ clashes: Clashes) -> Decision

    init<Element: Decodable & Encodable & Sendable>(_ conflicts: Conflicts<Element>?, _ coding: ItemCoding<Element>) {
        let form = conflicts?.form ?? .merge(.mine)
        readsBeforeWriting = conflicts?.readsBeforeWriting ?? true
        isWhole = if case .merge = form { false } else { true }
        decide = { (base, mine, theirs, clashes) in
            switch form {
            case .theirs: return .theirs
            case .ask: return .ask
            // The server has deleted what was edited here: without a rule for that, a person decides.
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
