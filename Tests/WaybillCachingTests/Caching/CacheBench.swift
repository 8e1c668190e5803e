import CallSupport
import Foundation
import TestSupport
import Waybill
import WaybillCaching
import WaybillTesting

/// A date controlled by a test.
///
/// `@unchecked Sendable`: the date is accessed only under the lock.
final class MovableDate: @unchecked Sendable {
    private let lock = NSLock()
    private var date: Date

    init(_ date: Date = Date(timeIntervalSince1970: 784_111_777)) { self.date = date }

    var now: Date { lock.withLock { date } }

    var text: String { HTTPDate.text(from: now) ?? "" }

    func advance(by seconds: Double) { lock.withLock { date.addTimeInterval(seconds) } }
}

/// A server with numbered responses, behind a cache whose date the test controls.
struct CacheBench {
    let stub: StubTransport
    let date: MovableDate
    let cache: HTTPCache
    let client: Client
    let events = Lines()

    /// - Parameters:
    ///   - fields: The fields of each response. `Date` is added.
    ///   - confirms: Whether the server responds with 304 to a condition.
    init(
        _ fields: HTTPFields = [],
        status: HTTPResponse.Status = 200,
        confirms: Bool = true,
        cache: HTTPCache = HTTPCache(maximumBytes: 1_000_000),
        date: MovableDate = MovableDate(),
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) {
        let count = Lines()
        self.init(cache: cache, date: date, clauses: clauses()) { request in
            let number = count.add("")
            let conditions = [HTTPField.Name.ifNoneMatch, .ifModifiedSince]
            var response = StubResponse(status: status, headerFields: fields, body: Data("\(number)".utf8))
            if confirms, conditions.contains(where: { request.headerFields.contains($0) }) {
                response = StubResponse(status: 304, headerFields: fields)
            }
            if !fields.contains(.date) { response.headerFields[.date] = date.text }
            return response
        }
    }

    /// Returns a bench with a custom server.
    static func serving(
        cache: HTTPCache = HTTPCache(maximumBytes: 1_000_000),
        date: MovableDate = MovableDate(),
        _ response: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse
    ) -> CacheBench {
        CacheBench(cache: cache, date: date, clauses: Scope(), response: response)
    }

    private init(
        cache: HTTPCache,
        date: MovableDate,
        clauses: Scope,
        response: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse
    ) {
        self.date = date
        self.cache = cache
        stub = StubTransport(response)
        client = Client(Shop.url, transport: stub, dates: Client.DateProvider { date.now }) { [events] in
            Cached(in: cache)
            Observe { event in
                if case .cached(let use) = event.kind { events.add(use.name) }
            }
            clauses
        }
    }

    /// Returns the number in the response to a GET.
    func number(at path: String = "a", @Scope.Builder _ clauses: () -> Scope = { Scope() }) async throws -> Int {
        let endpoint: Endpoint<Int> = client.endpoint { GET("\(path)") }
        return try await endpoint.with(clauses).send()
    }

    var requestCount: Int { stub.requests.count }
}

extension HTTPFields {
    /// Creates fields from lines such as `Cache-Control: max-age=1`.
    init(lines: [String]) {
        self.init(
            lines.compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2, let name = HTTPField.Name(parts[0]) else { return nil }
                return HTTPField(name: name, value: parts[1])
            }
        )
    }
}
