import Foundation
import Waybill
import WaybillDescription

/// A server that implements an API's declaration: its resources store what clients create, and its other endpoints
/// respond with examples of their types.
///
/// ```swift
/// let server = try MockServer(Shop(url)) { Seeds([lamp, rug]) }
/// let shop = Shop(server.url)
///
/// let chair = try await shop.products.create(.init(name: "Chair"))
/// #expect(try await shop.products.list().count == 3)
/// ```
///
/// The server recognizes repeated requests by a declared `IdempotencyKey`, and uses the declared paging scheme and
/// envelope. It reports errors as the declared problem: 404 for an unknown id, 412 for a condition that does not hold,
/// 415 for a body of an undeclared media type, and 422 for a body that does not match the type. An undeclared method on
/// a declared path gets a 405; any other undeclared request gets a 501 that lists the declared ones.
public final class MockServer: Sendable {
    private let server: LoopbackServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - api: the API; its client is not used.
    ///   - overrides: responses that replace the declared behavior, keyed by method and template.
    ///   - limits: the limits on the size of a request.
    ///   - changes: the collections whose lists can be limited to changes.
    ///   - seeds: the initial entities.
    /// - Throws: `APIDescription.Failure` if the API's calls cannot be planned, ``StubResponses/Failure`` if the
    ///   overrides are invalid, ``Seeds/Failure`` if a seed has no unique collection or does not decode, the error of a
    ///   seed that does not encode or parse, or an error that names the failed system call.
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

    /// The base URL of the server, on localhost.
    public var url: URL { server.url }

    /// The requests received so far, in order of completion.
    public var requests: [ReceivedRequest] { server.requests }

    /// Stops the server, and waits until its threads have ended.
    public func stop() { server.stop() }
}

extension StubResponses {
    /// Returns the responses of a server that implements an API's declaration, for a ``StubTransport`` or a
    /// ``LoopbackServer``.
    ///
    /// - Parameters:
    ///   - api: the API; its client is not used.
    ///   - overrides: responses that replace the declared behavior, keyed by method and template.
    ///   - changes: the collections whose lists can be limited to changes.
    ///   - seeds: the initial entities.
    /// - Returns: the responses. All servers and stubs that use them share the same entities.
    /// - Throws: `APIDescription.Failure` if the API's calls cannot be planned, ``Seeds/Failure`` if a seed has no
    ///   unique collection or does not decode, or the error of a seed that does not encode or parse.
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
