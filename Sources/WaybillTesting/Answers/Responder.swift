import Waybill

/// How the requests of one method and template are answered: always alike, one after the other, or by a closure.
///
/// It is the value of a table of ``Answers``, and has all forms and modifiers of ``AnswerExpression``.
///
/// ```swift
/// "GET products/{}": .json(#"{"id": 1}"#)
/// "GET products": .sequence([.status(503), .json("[]")])
/// "POST products": .answer { request in .json(request.text, status: 201) }
/// ```
public struct Responder: Sendable {
    enum Source: Sendable {
        case fixed(Answer)
        case sequence([Answer])
        case closure(@Sendable (ReceivedRequest) async throws -> Answer)
    }

    let source: Source

    /// Answers the first request with the first answer, the second with the second, and so on; the last one repeats.
    ///
    /// Each stub and each server counts for itself. A sequence without answers makes its table invalid (see
    /// ``Answers/validate()``).
    public static func sequence(_ answers: [Answer]) -> Responder { Responder(source: .sequence(answers)) }

    /// Makes an answer from each request.
    ///
    /// An error that the closure throws becomes a 500 with the error's text on a server; a stub throws it, as a
    /// `TransportError`. The task of the closure is cancelled when whoever asked gives up.
    public static func answer(
        _ closure: @escaping @Sendable (ReceivedRequest) async throws -> Answer
    ) -> Responder {
        Responder(source: .closure(closure))
    }
}

extension Responder: AnswerExpression {
    /// Always that answer.
    public static func answer(_ answer: Answer) -> Responder { Responder(source: .fixed(answer)) }

    /// The same with each of its answers changed.
    public func modified(_ change: @escaping @Sendable (inout Answer) -> Void) -> Responder {
        switch source {
        case .fixed(let answer): .answer(answer.modified(change))
        case .sequence(let answers): .sequence(answers.map { $0.modified(change) })
        case .closure(let closure): .answer { try await closure($0).modified(change) }
        }
    }
}
