import Foundation
import Waybill

/// A transport whose connection a test cuts and restores.
///
/// ```swift
/// let network = InterruptibleTransport()
/// let shop = Shop(url, transport: network)
/// network.interrupt()
/// let error = await #expect(throws: APIError.self) { try await shop.products.list() }
/// network.restore()
/// ```
///
/// Copies share the state of the connection.
public struct InterruptibleTransport: Transport {
    private struct State {
        var isInterrupted = false
        var responsesToLose = 0
    }

    private let base: any Transport
    private let state = Monitor(State())

    /// Creates a transport with a connection.
    ///
    /// - Parameter base: the transport that sends the requests.
    public init(_ base: some Transport = .default) { self.base = base }

    /// Whether requests fail.
    public var isInterrupted: Bool { state.current.isInterrupted }

    /// Lets each request from now on fail with `TransportError(.cannotConnect)`, before anything is sent.
    public func interrupt() { state.update { $0.isInterrupted = true } }

    /// Lets requests through again.
    public func restore() { state.update { $0 = State() } }

    /// Loses the responses to the next requests: they are sent, and then fail with `TransportError(.connectionLost)`.
    ///
    /// - Parameter count: the number of requests.
    public func loseResponses(_ count: Int = 1) { state.update { $0.responsesToLose = max(0, count) } }

    /// Sends the request, if there is a connection.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of its transfer.
    /// - Returns: the response.
    /// - Throws: `TransportError`.
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
