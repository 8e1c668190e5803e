import Testing
import Waybill
import WaybillURLSession

/// A transport over which every integration test runs.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    let name: String
    let transport: any Transport

    var testDescription: String { name }

    /// All transports; for one more line, the whole suite runs over one more transport.
    static let all: [TransportUnderTest] = [
        TransportUnderTest(name: "the default", transport: .default),
        TransportUnderTest(name: "URLSession", transport: .urlSession()),
    ]
}
