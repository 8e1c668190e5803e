import Foundation
import Waybill

/// A transport wrapper whose connection a test can cut and restore.
///
/// ```swift
/// let network = InterruptibleTransport()
/// let shop = Shop(url, transport: network)
/// network.interrupt()
/// let error = await #expect(throws: APIError.self) { try await shop.products.list() }
/// network.restore()
/// ```
///
/// Copies share the connection's state.
public struct InterruptibleTransport: Transport {
    private struct State {
        var isInterrupted = false
        var responsesToLose = 0
    }

    private let base: any Transport
    private let state = Monitor(State())

    /// Creates a transport whose connection is up.
    ///
    /// - Parameter base: the transport that sends the requests.
    public init(_ base: some Transport = .default) { self.base = base }

    /// Whether the connection is cut.
    public var isInterrupted: Bool { state.current.isInterrupted }

    /// Cuts the connection: until ``restore()``, requests fail with `TransportError(.cannotConnect)` before anything is
    /// sent.
    public func interrupt() { state.update { $0.isInterrupted = true } }

    /// Restores the connection and cancels any remaining ``loseResponses(_:)``.
    public func restore() { state.update { $0 = State() } }

    /// Loses the responses to the next requests: each request is sent, then fails with
    /// `TransportError(.connectionLost)`.
    ///
    /// Requests made while the connection is cut do not count toward the number.
    ///
    /// - Parameter count: the number of responses to lose, which replaces any remaining number; a negative number
    ///   counts as zero.
    public func loseResponses(_ count: Int = 1) { state.update { $0.responsesToLose = max(0, count) } }

    /// Sends the request through the base transport, unless the connection is cut.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of its transfer.
    /// - Returns: the response.
    /// - Throws: `TransportError(.cannotConnect)` if the connection is cut, `TransportError(.connectionLost)` if the
    ///   response is lost, or the error of the base transport.
    public func send(
        _ request: HTTPRequest,
        options: TransferOptions
    ) async throws(TransportError) -> HTTPResponse {
        let (isInterrupted, losesResponse) = state.update { state in
            defer { if !state.isInterrupted { state.responsesToLose = max(0, state.responsesToLose - 1) } }
            return (state.isInterrupted, state.responsesToLose > 0)
        }
        if isInterrupted { throw TransportError(.cannotConnect, "the test has cut the connection") }
        let response = try await base.send(request, options: options)
        guard losesResponse else { return response }
        _ = try? await response.body.collect()
        throw TransportError(.connectionLost, "the test has lost the response")
    }
}
