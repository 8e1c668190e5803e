import WaybillJSON
import WaybillSystem

/// An observer that compares the bodies of responses with what the call decodes of them; it receives no events.
package protocol ResponseInspector: CallObserver {
    /// Receives a response after its value has been decoded, or could not be.
    ///
    /// - Parameter response: makes the response; an inspector that skips it does not call this.
    func inspect(_ response: () -> InspectedResponse)
}

/// A body, and the parts of it that a call decodes.
package struct InspectedResponse {
    /// A type that is decoded from a place of the body.
    package struct Part {
        package let type: any Decodable.Type
        package let path: [EnvelopeKey]

        /// Whether the value must be there.
        package let isRequired: Bool

        package init(_ type: any Decodable.Type, at path: [EnvelopeKey], isRequired: Bool) {
            self.type = type
            self.path = path
            self.isRequired = isRequired
        }
    }

    /// The way in which the decoding ended.
    package enum Outcome: Sendable, Hashable {
        /// Everything was decoded, except for a number of items that were dropped.
        case decoded(droppedItems: Int)

        /// The decoder threw an error.
        case failed

        /// Missing members are those that were sent.
        case merged
    }

    package let method: HTTPRequest.Method
    package let template: String
    package let settings: Scope.Settings
    package let body: Data

    /// The value of the call first, then metadata and the fields that paging reads.
    package let parts: [Part]

    package let outcome: Outcome

    package init(
        method: HTTPRequest.Method,
        template: String,
        settings: Scope.Settings,
        body: Data,
        parts: [Part],
        outcome: Outcome
    ) {
        self.method = method
        self.template = template
        self.settings = settings
        self.body = body
        self.parts = parts
        self.outcome = outcome
    }
}
