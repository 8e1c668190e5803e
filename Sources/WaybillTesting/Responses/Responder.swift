import Waybill

/// The responses to the requests of one method and template: a fixed one, a sequence, or a closure's.
///
/// It is the value of a table of ``StubResponses``, and has all forms and modifiers of ``StubResponseExpression``.
///
/// ```swift
/// let responses: StubResponses = [
///     "GET products/{}": .json(#"{"id": 1}"#),
///     "GET products": .sequence([.status(503), .json("[]")]),
///     "POST products": .response { request in .json(request.text, status: 201) },
/// ]
/// ```
public struct Responder: Sendable {
    enum Source: Sendable {
        case fixed(StubResponse)
        case sequence([StubResponse])
        case closure(@Sendable (ReceivedRequest) async throws -> StubResponse)
    }

    let source: Source

    /// Gives the first request the first response, the second the second, and so on; the last one repeats.
    ///
    /// Each stub and each server counts for itself. A sequence without responses makes its table invalid (see
    /// ``StubResponses/validate()``).
    public static func sequence(_ responses: [StubResponse]) -> Responder { Responder(source: .sequence(responses)) }

    /// Makes a response from each request.
    ///
    /// An error that the closure throws becomes a 500 with the error's text on a server; a stub throws it, as a
    /// `TransportError`. The task of the closure is cancelled when the client gives up.
    public static func response(
        _ closure: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse
    ) -> Responder {
        Responder(source: .closure(closure))
    }
}

extension Responder: StubResponseExpression {
    /// Gives every request the same response.
    public static func response(_ response: StubResponse) -> Responder { Responder(source: .fixed(response)) }

    /// Returns a copy with a change made to each of its responses.
    public func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> Responder {
        switch source {
        case .fixed(let response): .response(response.modified(change))
        case .sequence(let responses): .sequence(responses.map { $0.modified(change) })
        case .closure(let closure): .response { try await closure($0).modified(change) }
        }
    }
}
