import Foundation
import Waybill

/// What an answer can be written as: an ``Answer``, or a ``Responder``, the value of a table of ``Answers``.
///
/// The protocol gives both the same forms (`.json`, `.text`, `.status` and so on) and the same modifiers.
public protocol AnswerExpression: Sendable {
    /// Makes an answer one of these.
    static func answer(_ answer: Answer) -> Self

    /// The same with its answers changed.
    func modified(_ change: @escaping @Sendable (inout Answer) -> Void) -> Self
}

extension Answer: AnswerExpression {
    /// The answer itself.
    public static func answer(_ answer: Answer) -> Answer { answer }

    /// A copy of the answer with a change made to it.
    public func modified(_ change: @escaping @Sendable (inout Answer) -> Void) -> Answer {
        var copy = self
        change(&copy)
        return copy
    }
}
