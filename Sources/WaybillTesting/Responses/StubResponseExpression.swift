import Foundation
import Waybill

/// A form in which a response is written: a ``StubResponse``, or a ``Responder``, the value in ``StubResponses``.
///
/// The protocol gives both the same forms (`.json`, `.text`, `.status` and so on) and the same modifiers.
public protocol StubResponseExpression: Sendable {
    /// Creates the form from a response.
    static func response(_ response: StubResponse) -> Self

    /// Returns a copy with a change made to its responses.
    func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> Self
}

extension StubResponse: StubResponseExpression {
    /// Returns the response itself.
    public static func response(_ response: StubResponse) -> StubResponse { response }

    /// Returns a copy of the response with a change made to it.
    public func modified(_ change: @escaping @Sendable (inout StubResponse) -> Void) -> StubResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
