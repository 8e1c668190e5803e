import Foundation
import Waybill

extension RecordedTransport {
    /// The recording of the test that is running; nil outside a test with the trait `recorded` of
    /// `WaybillTestingTraits`.
    @TaskLocal public static var current: RecordedTransport?

    /// A transport over the recording of the running test, which was current when the transport was created.
    ///
    /// Without a recording, every request fails with a `TransportError` of kind `unavailable`, and nothing is sent.
    public struct OfTest: Transport {
        private let recorded = RecordedTransport.current

        init() {}

        /// Replays or records the response to a request.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - options: the options of its transfer.
        /// - Returns: the response.
        /// - Throws: `TransportError` of kind `unavailable` without a recording, and the errors of the recording.
        public func send(
            _ request: HTTPRequest,
            options: TransferOptions
        ) async throws(TransportError) -> HTTPResponse {
            guard let recorded else {
                throw TransportError(
                    .unavailable,
                    "there is no recording here: write `@Test(.recorded)`, and create the client in the test's own task"
                )
            }
            return try await recorded.send(request, options: options)
        }
    }
}

extension Transport where Self == RecordedTransport.OfTest {
    /// The recording of the running test.
    public static var recorded: RecordedTransport.OfTest { RecordedTransport.OfTest() }
}
