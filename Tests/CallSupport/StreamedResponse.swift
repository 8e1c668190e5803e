import Foundation
import Waybill
import WaybillTesting

extension StubResponse.Expression {
    /// Returns a response with a text body of a given media type.
    package static func text(_ text: String, of contentType: String) -> Self {
        .text(text, headers: [HTTPField(name: .contentType, value: contentType)])
    }

    /// Returns a response with server-sent events.
    package static func events(_ text: String) -> Self { .text(text, of: "text/event-stream") }
}
