import WaybillJSON
import WaybillSystem

/// An observer that compares response bodies with the values decoded from them; it receives no events.
package protocol ResponseInspector: CallObserver {
    /// Receives a response after its value was decoded or failed to decode.
    ///
    /// - Parameter response: a closure that creates the response; inspectors that skip the response do not call it.
    func inspect(_ response: () -> InspectedResponse)
}

/// A response body, and the parts of it decoded by a call.
package struct InspectedResponse {
    /// A type that is decoded from a path in the body.
    package struct Part {
        package let type: any Decodable.Type
        package let path: [EnvelopeKey]

        /// Whether the value must be present.
        package let isRequired: Bool

        /// Whether a single item may appear in place of an array.
        package var mayBeOnlyItem = false
    }

    /// The result of decoding.
    package enum Outcome: Sendable, Hashable {
        /// Everything was decoded, except for this number of dropped items.
        case decoded(droppedItems: Int)

        /// The decoder threw an error for the value at a path in the body; the path is empty if the error has no path.
        case failed(at: [EnvelopeKey])

        /// The value was decoded from the body, merged over the sent content.
        case merged
    }

    package let method: HTTPRequest.Method
    package let template: String
    package let settings: Scope.Settings
    package let body: Data

    /// The value of the call, followed by metadata and the members read by pagination.
    package let parts: [Part]

    package let outcome: Outcome
}
