import Dispatch
import Foundation
import Waybill
import WaybillCaching
import WaybillLimits
import WaybillSessions

/// Work whose instructions are counted in a dedicated process.
enum CountedWork: String, CaseIterable {
    case declaration
    case plan
    case read
    case call
    case retry
    case limit
    case cookies

    /// The label in the output.
    var name: String {
        switch self {
        case .declaration: "declaring a GET with three clauses"
        case .plan: "its plan"
        case .read: "the declaration and the plan of a read"
        case .call: "a read, from its declaration to the decoded value"
        case .retry: "the same with Retry and a bearer token"
        case .limit: "the same with Limit, CircuitBreaker and middleware"
        case .cookies: "the same with Cookies and Coalesced"
        }
    }

    /// Parses the arguments of a counting process; returns nil for any other arguments.
    init?(_ arguments: some Sequence<String>) {
        let words = Array(arguments)
        guard words.count == 3, words[0] == "--count" else { return nil }
        self.init(rawValue: words[1])
    }

    /// Repeats the work as often as the last argument specifies.
    func run() {
        guard let url = URL(string: "https://shop.example/v1"), let times = CommandLine.arguments.last.flatMap(Int.init)
        else { return }
        let shop = shop(at: url)
        let endpoint = shop.related(to: 7)
        switch self {
        case .declaration: for _ in 0..<times { _ = shop.related(to: 7) }
        case .plan: for _ in 0..<times { _ = try? endpoint.plan() }
        case .read: for _ in 0..<times { _ = try? shop.products.endpoints.read(7).plan() }
        case .call, .retry, .limit, .cookies:
            // The main thread waits, because valgrind does not survive its exit.
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                for _ in 0..<times where try await shop.products.read(7).id == 0 {
                    throw CocoaError(.coderInvalidValue)
                }
                done.signal()
            }
            done.wait()
        }
    }

    private func shop(at url: URL) -> Shop {
        switch self {
        case .declaration, .plan, .read: Shop(url, responseBody: ResponseBodies.one)
        case .call: Shop(url, responseBody: ResponseBodies.one, options: Scope.init)
        case .retry:
            Shop(url, responseBody: ResponseBodies.one) {
                Authorization(.bearer("token"))
                Retry()
            }
        case .limit:
            Shop(url, responseBody: ResponseBodies.one) {
                Limit(concurrent: 100)
                CircuitBreaker()
                Use(Forwarding())
            }
        case .cookies:
            Shop(url, responseBody: ResponseBodies.one) {
                Cookies(CookieJar())
                Coalesced()
            }
        }
    }
}

extension CountedWork {
    /// Returns one line per kind of work, or a single line with the reason if instructions cannot be counted.
    static func lines() async -> [String] {
        do {
            let callgrind = try await Callgrind()
            return try await allCases.asyncMap { work in
                let count = try await callgrind.instructions(few: 100, many: 600) {
                    ["--count", work.rawValue, "\($0)"]
                }
                return "\(work.name): \(count) instructions"
            }
        } catch {
            return ["Instructions are not counted: \(error)"]
        }
    }
}

/// A middleware that forwards requests unchanged.
private struct Forwarding: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        try await next(request)
    }
}

extension Sequence {
    fileprivate func asyncMap<Other>(_ transform: (Element) async throws -> Other) async throws -> [Other] {
        var others: [Other] = []
        for element in self { others.append(try await transform(element)) }
        return others
    }
}
