import Testing
import Waybill

/// A transport over which every integration test runs.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    let name: String
    let transport: any Transport

    var testDescription: String { name }

    /// All of them; one more line has the whole suite run over one more.
    static let all: [TransportUnderTest] = [
        TransportUnderTest(name: "the default", transport: .default),
        TransportUnderTest(name: "URLSession", transport: .urlSession()),
    ]
}
