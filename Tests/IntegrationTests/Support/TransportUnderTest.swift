import Testing
import Waybill
import WaybillURLSession

/// A transport that every integration test runs over.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    let name: String
    let transport: any Transport

    var testDescription: String { name }

    /// All transports; add a line here to run the whole suite over another one.
    static let all: [TransportUnderTest] = [
        TransportUnderTest(name: "the default", transport: .default),
        TransportUnderTest(name: "URLSession", transport: .urlSession()),
    ]
}
