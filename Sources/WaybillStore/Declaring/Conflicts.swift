import Waybill
import WaybillSystem

/// A clause of a collection: what becomes of a write if the server has another version of the item than the one that
/// was edited.
///
/// ```swift
/// Conflicts(.merge(clash: .mine))      // both changes; where both changed the same member, the one made here
/// Conflicts(.theirs)                   // the server's version; what was written here is dropped, and reported
/// Conflicts(.ask)                      // the write waits for `Outbox.resolve(_:with:)`
/// Conflicts { (base, mine, theirs) in Product(id: mine.id, stock: theirs.stock + mine.stock - base.stock) }
/// ```
///
/// The version that was edited is kept from the first edit on, and compared with the server's member by member. A
/// conflict is found by `If-Match`, if the server gives strong entity tags, by the status 409 or 412, and by every
/// synchronization. Without the clause it is `.merge(clash: .mine)`.
///
/// A server without entity tags would take a write over another version. `Conflicts(.ask, readsBeforeWriting: true)`
/// reads the item before it is changed or deleted, and compares it; what another client writes in between is not found.
public struct Conflicts<Element: Sendable>: Sendable {
    /// A rule.
    public struct Rule: Sendable {
        enum Form: Sendable {
            case mine
            case theirs
            case ask
            case merge(Clash)
            case function(@Sendable (_ base: Element, _ mine: Element, _ theirs: Element) throws -> Element)
        }

        let form: Form

        /// The version here is sent again, over the server's.
        public static var mine: Rule { Rule(form: .mine) }

        /// The server's version stays; the one here is dropped, and reported as an event.
        public static var theirs: Rule { Rule(form: .theirs) }

        /// The write waits for a decision; others go on.
        public static var ask: Rule { Rule(form: .ask) }

        /// Returns a rule by which both changes are made, unless they are of the same member.
        ///
        /// - Parameter clash: the rule for a member that both have changed to different values.
        /// - Returns: the rule.
        public static func merge(clash: Clash) -> Rule { Rule(form: .merge(clash)) }
    }

    /// The rule for a member that both sides have changed to different values.
    public enum Clash: Sendable, Hashable {
        /// It is as it was written here.
        case mine
        /// It is as the server has it.
        case theirs
        /// The write waits for a decision.
        case ask
    }

    let form: Rule.Form
    let readsBeforeWriting: Bool

    /// Declares a rule.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - readsBeforeWriting: whether an item without an entity tag is read and compared before it is changed.
    public init(_ rule: Rule, readsBeforeWriting: Bool = true) {
        form = rule.form
        self.readsBeforeWriting = readsBeforeWriting
    }

    /// Declares a function that makes one item of three.
    ///
    /// An error that it throws is the failure of the write, which is parked then. It is not called if the server has
    /// deleted the item: the write is parked, and a person decides.
    ///
    /// - Parameters:
    ///   - readsBeforeWriting: whether an item without an entity tag is read and compared before it is changed.
    ///   - merge: makes the item of the version that was edited, of the one here and of the server's.
    public init(
        readsBeforeWriting: Bool = true,
        merge: @escaping @Sendable (_ base: Element, _ mine: Element, _ theirs: Element) throws -> Element
    ) {
        form = .function(merge)
        self.readsBeforeWriting = readsBeforeWriting
    }
}
