import WaybillJSON
import WaybillSystem

/// An observer that compares the bodies of responses with what the call decodes of them; it receives no events.
package protocol ResponseInspector: CallObserver {
    /// Receives a response after its value has been decoded, or has failed to decode.
    ///
    /// - Parameter response: makes the response; an inspector that skips the response does not call it.
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
    }

    /// The result of the decoding.
    package enum Outcome: Sendable, Hashable {
        /// Everything was decoded, except for a number of items that were dropped.
        case decoded(droppedItems: Int)

        /// The decoder threw an error, about the value at a path of the body; empty if it names none.
        case failed(at: [EnvelopeKey])

        /// The value was decoded from the body merged over what was sent.
        case merged
    }

    package let method: HTTPRequest.Method
    package let template: String
    package let settings: Scope.Settings
    package let body: Data

    /// The value of the call first, then metadata and the fields that paging reads.
    package let parts: [Part]

    package let outcome: Outcome
}
