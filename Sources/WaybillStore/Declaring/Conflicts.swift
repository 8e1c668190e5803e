import Waybill
import WaybillSystem

extension Store {
    /// A clause of a collection: a rule for writes to items that have since changed on the server.
    ///
    /// ```swift
    /// Store.Conflicts(.merge(clash: .mine))      // both sides' changes; if they clash in a member, the local value
    /// Store.Conflicts(.theirs)                   // the server's version; the local one is dropped and reported
    /// Store.Conflicts(.ask)                      // the write waits for `Store.Outbox.resolve(_:with:)`
    /// Store.Conflicts { (base, mine, theirs) in Product(id: mine.id, stock: theirs.stock + mine.stock - base.stock) }
    /// ```
    ///
    /// The store keeps the version before the first edit and compares it with the server's, member by member. Conflicts
    /// are detected by `If-Match` if the server sends strong entity tags, by status 409, 412 or 428, and when
    /// synchronizing. The default is `.merge(clash: .mine)`. If the server has deleted an item that was changed
    /// locally, every rule except `.theirs` holds the write until a decision is made.
    ///
    /// Without entity tags, a write could overwrite a version that the app has not seen. To detect conflicts anyway, an
    /// item without an entity tag is read and compared before it is changed or deleted, unless `readsBeforeWriting` is
    /// false. Changes by other clients between the read and the write are not detected.
    public struct Conflicts<Element: Sendable>: Sendable {
        /// A rule for resolving conflicts.
        public struct Rule: Sendable {
            enum Form: Sendable {
                case mine
                case theirs
                case ask
                case merge(Clash)
                case function(@Sendable (_ base: Element, _ mine: Element, _ theirs: Element) throws -> Element)
            }

            let form: Form

            /// A rule that overwrites the server's version with the local one.
            public static var mine: Rule { Rule(form: .mine) }

            /// A rule that keeps the server's version, drops the local one and reports it as an event.
            public static var theirs: Rule { Rule(form: .theirs) }

            /// A rule that holds the write until a decision is made; other writes are still sent.
            public static var ask: Rule { Rule(form: .ask) }

            /// Returns a rule that merges the changes of both sides.
            ///
            /// - Parameter clash: the resolution for a member that both sides have changed to different values.
            /// - Returns: the rule.
            public static func merge(clash: Clash) -> Rule { Rule(form: .merge(clash)) }
        }

        /// A resolution for a member that both sides have changed to different values.
        public enum Clash: Sendable, Hashable {
            /// Use the local value.
            case mine
            /// Use the server's value.
            case theirs
            /// Hold the write until a decision is made.
            case ask
        }

        let form: Rule.Form
        let readsBeforeWriting: Bool

        /// Declares a rule.
        ///
        /// - Parameters:
        ///   - rule: the rule.
        ///   - readsBeforeWriting: whether to read and compare an item without an entity tag before changing it.
        public init(_ rule: Rule, readsBeforeWriting: Bool = true) {
            form = rule.form
            self.readsBeforeWriting = readsBeforeWriting
        }

        /// Declares a function that merges three versions of an item.
        ///
        /// If the function throws, the write is parked with the error. If either side has deleted the item, the
        /// function is not called, and the write waits for a decision.
        ///
        /// - Parameters:
        ///   - readsBeforeWriting: whether to read and compare an item without an entity tag before changing it.
        ///   - merge: returns the merged item, given the version before the edit, the local version and the server's.
        public init(
            readsBeforeWriting: Bool = true,
            merge: @escaping @Sendable (_ base: Element, _ mine: Element, _ theirs: Element) throws -> Element
        ) {
            form = .function(merge)
            self.readsBeforeWriting = readsBeforeWriting
        }
    }
}
