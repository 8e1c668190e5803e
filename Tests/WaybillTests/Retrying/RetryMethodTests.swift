import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Retry eligibility")
struct RetryMethodTests {
    struct Row: CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let failure: StubResponse
        var key: Key = .none
        let isRepeated: Bool

        enum Key: Sendable, CaseIterable { case none, declared, own, ownOfDeclaredName, empty, switchedOff }

        var testDescription: String { "\(method), \(failure.status), \(key), repeated: \(isRepeated)" }
    }

    static func response(_ kind: TransportError.Kind, _ phase: TransportError.Phase? = nil) -> StubResponse {
        .failure(TransportError(kind, phase: phase))
    }

    static let rows: [Row] = {
        let idempotent: [HTTPRequest.Method] = [.get, .head, .put, .delete, .options, .trace, .query]
        let other = [HTTPRequest.Method.post, .patch] + [HTTPRequest.Method("PURGE")].compactMap { $0 }
        var rows: [Row] = []
        for method in idempotent {
            rows.append(Row(method: method, failure: .status(503), isRepeated: true))
            rows.append(Row(method: method, failure: response(.connectionLost, .waiting), isRepeated: true))
        }
        for method in other {
            for code in [408, 429, 500, 503] as [HTTPResponse.Status] {
                rows.append(Row(method: method, failure: .status(code), isRepeated: false))
            }
            rows.append(Row(method: method, failure: response(.connectionLost), isRepeated: false))
            rows.append(Row(method: method, failure: response(.timedOut), isRepeated: false))
            for phase in TransportError.Phase.allCases {
                let isBefore = [.queued, .resolving, .connecting, .securing].contains(phase)
                rows.append(Row(method: method, failure: response(.timedOut, phase), isRepeated: isBefore))
                rows.append(Row(method: method, failure: response(.connectionLost, phase), isRepeated: isBefore))
            }
            rows.append(Row(method: method, failure: response(.cannotConnect), isRepeated: true))
            rows.append(Row(method: method, failure: response(.cannotResolveHost), isRepeated: true))
            rows.append(Row(method: method, failure: response(.cannotConnect, .sending), isRepeated: false))
            for key in Row.Key.allCases where key != .none {
                let counts = [.declared, .own, .ownOfDeclaredName].contains(key)
                rows.append(Row(method: method, failure: .status(503), key: key, isRepeated: counts))
                rows.append(Row(method: method, failure: response(.connectionLost), key: key, isRepeated: counts))
            }
        }
        return rows
    }()

    @Test("Retry eligibility depends on the method, the phase of the failure and the idempotency key", arguments: rows)
    func rules(_ row: Row) async {
        let retrying = Retrying(row.failure) { Retry(attempts: 2) }
        let call = retrying.call(row.method) {
            switch row.key {
            case .none: Scope()
            case .declared: IdempotencyKey()
            case .own: Header("idempotency-key", "7")
            case .ownOfDeclaredName:
                IdempotencyKey(header: "X-Request-Id")
                Header("X-Request-Id", "7")
            case .empty: Header("Idempotency-Key", "")
            case .switchedOff: IdempotencyKey.none
            }
        }
        let error = await failure { try await call.send() }
        #expect(retrying.stub.requests.count == (row.isRepeated ? 2 : 1))
        #expect(error?.call.retryRejection == (row.isRepeated ? nil : .notIdempotent))
    }

    @Test("Declared retry methods replace the default ones")
    func methods() async {
        let retrying = Retrying(.status(503)) { Retry(methods: [.get, .post]) }
        for (method, count) in [(HTTPRequest.Method.post, 3), (.put, 1), (.get, 3)] {
            let before = retrying.stub.requests.count
            #expect(await failure { try await retrying.call(method).send() } != nil)
            #expect(retrying.stub.requests.count - before == count, "\(method)")
        }
    }

    @Test("A POST that fails after a redirect counts as sent and is not retried")
    func redirected() async {
        for kind in [TransportError.Kind.cannotConnect, .cannotResolveHost, .timedOut] {
            let lost = TransportError(kind, phase: .connecting)
            let responses: [StubResponse] = [.redirect(to: "/v1/b", status: 307), .failure(lost)]
            let retrying = Retrying(StubResponses().otherwise(.sequence(responses))) { Retry() }
            let error = await failure { try await retrying.call(.post).send() }
            #expect(error?.call.retryRejection == .notIdempotent)
            #expect(retrying.stub.requests.map(\.path) == ["/v1/a", "/v1/b"])
        }
    }

    @Test("A request is retried only if its body can be read again", arguments: [false, true])
    func streams(isReplayable: Bool) async {
        let retrying = Retrying(.status(503)) { Retry() }
        let stream = AsyncStream { continuation in
            continuation.yield(Data("1".utf8))
            continuation.finish()
        }
        let body = isReplayable ? HTTPBody(Data("1".utf8)) : HTTPBody(stream)
        let call: Endpoint<Void> = retrying.client.endpoint {
            PUT("a")
            Body(body, contentType: "text/plain")
        }
        let error = await failure { try await call.send() }
        #expect(error?.status == 503)
        #expect(retrying.stub.requests.count == (isReplayable ? 3 : 1))
        #expect(error?.call.retryRejection == (isReplayable ? nil : .bodyIsNotReplayable))
    }
}
