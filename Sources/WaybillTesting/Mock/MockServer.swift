import Foundation
import Waybill
import WaybillDescription

/// A server that behaves as an API declares: its resources keep what is created, its endpoints respond with values of
/// their types.
///
/// ```swift
/// let server = try MockServer(Shop(url)) { Seeds([lamp, rug]) }
/// let shop = Shop(server.url)
///
/// let chair = try await shop.products.create(.init(name: "Chair"))
/// #expect(try await shop.products.list().count == 3)
/// ```
///
/// It knows the repetition of a request with a declared `IdempotencyKey`, pages by the declared scheme, wraps values in
/// the declared envelope, and rejects with the declared problem: 404
/// for an id that it does not know, 412 for a condition that does not hold, 415 for a body of another media type, 422
/// for one that does not fit the type. A request that the declaration does not know gets the status 501 and a text with
/// the declared ones.
public final class MockServer: Sendable {
    private let server: LoopbackServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - api: the API; its client is not used.
    ///   - overrides: responses that take the place of the declared behavior, by method and template.
    ///   - limits: the limits of requests.
    ///   - changes: the collections whose lists can be asked for changes alone.
    ///   - seeds: the entities that are there at the start.
    /// - Throws: `APIDescription.Failure` if calls cannot be planned, ``StubResponses/Failure`` for overrides that are
    ///   not valid, and the error of the system if no server can be started.
    public init(
        _ api: some DescribedAPI,
        overriding overrides: StubResponses = [:],
        limits: LoopbackServer.Limits = LoopbackServer.Limits(),
        changes: [Changes] = [],
        @Seeds.Builder seeds: () -> [Seeds] = { [] }
    ) throws {
        let responses = try StubResponses.mocking(api, overriding: overrides, changes: changes, seeds: seeds)
        server = try LoopbackServer(responses, limits: limits)
    }

    /// The base URL: a port of this machine.
    public var url: URL { server.url }

    /// The requests so far, in the order of their arrival.
    public var requests: [ReceivedRequest] { server.requests }

    /// Stops the server, and waits until its threads have ended.
    public func stop() { server.stop() }
}

extension StubResponses {
    /// Returns the responses of a server that behaves as an API declares, for a ``StubTransport`` or a
    /// ``LoopbackServer``.
    ///
    /// - Parameters:
    ///   - api: the API; its client is not used.
    ///   - overrides: responses that take the place of the declared behavior, by method and template.
    ///   - changes: the collections whose lists can be asked for changes alone.
    ///   - seeds: the entities that are there at the start.
    /// - Returns: the responses; all requests that are answered by them share their entities.
    /// - Throws: `APIDescription.Failure` if calls cannot be planned, or the error of a seed that does not encode.
    public static func mocking(
        _ api: some DescribedAPI,
        overriding overrides: StubResponses = [:],
        changes: [MockServer.Changes] = [],
        @Seeds.Builder seeds: () -> [Seeds] = { [] }
    ) throws -> StubResponses {
        let mock = try MockAPI(api, seeds: seeds(), overriding: overrides, changes: changes)
        let replaced = Set(overrides.entries.map { MockAPI.normalized($0.key) })
        let own = mock.responders.filter { !replaced.contains(MockAPI.normalized($0.0)) }
        let all = own + overrides.entries.map { ($0.key, $0.responder) }
        return StubResponses(all, otherwise: overrides.fallback ?? mock.fallback(for: StubResponses(all)))
    }
}
