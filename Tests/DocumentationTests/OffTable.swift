import Foundation
import Waybill
import WaybillCaching
import WaybillSessions
import WaybillTesting
import WaybillTransfers

/// The clauses, and for each of them the clause of an inner scope that turns it off.
nonisolated struct OffTable {
    /// A call that shows whether a clause is in effect.
    struct Proof: Sendable {
        let outer: Scope
        let inner: Scope
        let responses: @Sendable (ReceivedRequest) -> StubResponse
        let call: @Sendable (Client, Scope) async throws -> String

        /// Returns what the server, the transport and the caller see of the call.
        ///
        /// - Parameters:
        ///   - hasOuter: whether the client has the clause.
        ///   - hasInner: whether the call turns the clause off.
        func trace(hasOuter: Bool, hasInner: Bool) async -> String {
            let outer = hasOuter ? outer : Scope()
            let wire = Wire(responses: responses)
            let client = Client(Sample.url, transport: wire) { outer }
            let result: String
            do {
                result = try await call(client, hasInner ? inner : Scope())
            } catch {
                result = "\(error)"
            }
            return (wire.lines + [result]).joined(separator: "\n")
        }
    }

    enum Evidence: Sendable {
        /// A call with the clause differs from one without it, and turned off it does not.
        case call(Proof)
        /// A test of the module that declares the clause.
        case test(NamedTest)
        /// No scope can want the clause off.
        case needless
    }

    struct Row: Sendable, CustomStringConvertible {
        let clause: String
        /// The clause that turns it off, as a page has it.
        let off: String
        let evidence: Evidence

        var description: String { clause }

        var proof: Proof? { if case .call(let proof) = evidence { proof } else { nil } }

        var test: NamedTest? { if case .test(let test) = evidence { test } else { nil } }
    }

    /// A transport with stubbed responses, which records its options as well.
    struct Wire: Transport {
        private let stub: StubTransport
        private let options = Locked<[String]>([])

        init(responses: @escaping @Sendable (ReceivedRequest) -> StubResponse) { stub = StubTransport(responses) }

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            var limit = "no limit"
            if case .duration(let time) = options.timeLimit { limit = "\(time)" }
            let control = options.control == nil ? "no control" : "a control"
            let line = "\(options.template ?? ""), \(limit), \(control)"
            self.options.withLock { $0.append(line) }
            return try await stub.send(request, options: options)
        }

        var lines: [String] {
            stub.requests.map {
                "\($0.method) \($0.url) \($0.headerFields) \(String(decoding: $0.body, as: UTF8.self))"
            } + options.withLock { $0 }
        }
    }
}

// The rows.
nonisolated extension OffTable {
    static let rows = requests + responses + calls + options + streams + needless

    private static let needless = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "Route", "Body", "Multipart", "Secret",
        "Style", "On",
    ].map { Row(clause: $0, off: "", evidence: .needless) }

    private static let requests: [Row] = [
        row("Query", "Query(removing: \"q\")", read) {
            Query("a", 1)
        } off: {
            Query(removing: "a")
        },
        row("Header", "Header(removing: .ifMatch)", read) {
            Header("X-A", "1")
        } off: {
            Header(removing: "X-A")
        },
        row("IfMatch", "Header(removing: .ifMatch)", read) {
            IfMatch(.any)
        } off: {
            Header(removing: .ifMatch)
        },
        row("IfNoneMatch", "Header(removing: .ifMatch)", read) {
            IfNoneMatch(.any)
        } off: {
            Header(removing: .ifNoneMatch)
        },
        row("IfModifiedSince", "Header(removing: .ifMatch)", read) {
            IfModifiedSince(Date(timeIntervalSince1970: 0))
        } off: {
            Header(removing: .ifModifiedSince)
        },
        row("IfUnmodifiedSince", "Header(removing: .ifMatch)", read) {
            IfUnmodifiedSince(Date(timeIntervalSince1970: 0))
        } off: {
            Header(removing: .ifUnmodifiedSince)
        },
        row("Body.Member", "Body.Member(removing: \"limit\")", posted) {
            Body.Member(["a", "b"], 1)
        } off: {
            Body.Member(removing: "a")
        },
        row("Bodies", posted) {
            Bodies(under: "thing", as: .form, nils: .null)
        } off: {
            Bodies.none
        },
        row("Bodies.Differences", patched) {
            Bodies.Differences(as: .jsonPatch)
        } off: {
            Bodies.Differences.none
        },
        row("Encode", posted) {
            Encode(keys: .convertToSnakeCase)
        } off: {
            Encode.none
        },
        row("Authorization", read) {
            Authorization(.bearer("a"))
        } off: {
            Authorization.none
        },
        row("Signed", read) {
            Signed(by: Signature())
        } off: {
            Signed.none
        },
        row("IdempotencyKey", posted) {
            IdempotencyKey()
        } off: {
            IdempotencyKey.none
        },
        row("Cookies", read) {
            Cookies(CookieJar([CookieJar.Cookie("a", "1", domain: "shop.example")]))
        } off: {
            Cookies.none
        },
        row("Compressed", uploaded) {
            Compressed(.gzip, from: 1)
        } off: {
            Compressed.none
        },
    ]

    private static let responses: [Row] = [
        row("Envelope", read) {
            Envelope("data")
        } off: {
            Envelope.none
        },
        row("Metadata", read) {
            Metadata(Int.self, at: "total")
        } off: {
            Metadata.none
        },
        row("Decode", read) {
            Decode(keys: .convertFromSnakeCase)
        } off: {
            Decode.none
        },
        row("DropInvalidItems", listed, body: #"[{"id":1},{"id":"a"}]"#) {
            DropInvalidItems()
        } off: {
            DropInvalidItems.none
        },
        row("Problem", read, status: 409) {
            Problem(Fault.self)
        } off: {
            Problem.none
        },
        row("Success", "Success(.success)", read, status: 404) {
            Success(404)
        } off: {
            Success(.success)
        },
        row("BodyLimits", read) {
            BodyLimits(success: 1)
        } off: {
            BodyLimits.none
        },
        row("WriteResult", created) {
            WriteResult(.reread)
        } off: {
            WriteResult.none
        },
        row("WriteResult.ItemProblem", createdTogether, body: #"[{"error":"a","id":1}]"#) {
            WriteResult.ItemProblem(Fault.self, at: "error")
        } off: {
            WriteResult.ItemProblem.none
        },
        row("Paginated", listed, body: "[]") {
            Paginated(.pageNumber("page"))
        } off: {
            Paginated.none
        },
    ]

    private static let calls: [Row] = [
        row("Call.Name", read) {
            Call.Name("a")
        } off: {
            Call.Name.none
        },
        row("Control", read) {
            Control(with: TransferControl())
        } off: {
            Control.none
        },
        row("Timeout", read) {
            Timeout(.seconds(9))
        } off: {
            Timeout.none
        },
        row("Retry", read, status: 503) {
            Retry(attempts: 2, backoff: .none)
        } off: {
            Retry.none
        },
        row("Retry.Budget", retried, status: 503) {
            Retry.Budget(capacity: 5)
        } off: {
            Retry.Budget.none
        },
        row("Redirects", "Redirects(.follow)", moved, status: 302) {
            Redirects(.reject)
        } off: {
            Redirects(.follow)
        },
        row("Use", read) {
            Use(Marking())
        } off: {
            Use.none
        },
        row(
            "Observe",
            "Observe.none",
            "WaybillTests/Observing/EventOrderTests",
            "Observe.none removes the observers of outer scopes, and keeps those of its own and inner ones"
        ),
    ]

    private static let options: [Row] = [
        row("Cached", readTwice) {
            Cached(in: HTTPCache(bytes: 100_000))
        } off: {
            Cached.none
        },
        row("Cached.Policy", "Cached.Policy(.default)", read) {
            Cached.Policy(.onlyIfCached)
        } off: {
            Cached.Policy(.default)
        },
        row(
            "Coalesced",
            "Coalesced.none",
            "WaybillCachingTests/Caching/CoalescingTests",
            "Requests that differ in any part share no transfer"
        ),
        row(
            "Limit",
            "Limit.none",
            "WaybillLimitsTests/Limiting/LimitSharingTests",
            "Limits of client and resource on rate and concurrency hold together; Limit.none removes them"
        ),
        row(
            "CircuitBreaker",
            "CircuitBreaker.none",
            "WaybillLimitsTests/Limiting/CircuitBreakerTests",
            "Circuits are per origin and client, CircuitBreaker.none removes them, and a healthy one is not kept"
        ),
        row(
            "WaitsForConnectivity",
            "WaitsForConnectivity.none",
            "WaybillLimitsTests/Connectivity/WaitsForConnectivityTests",
            "Calls to this machine do not wait, and neither do calls with WaitsForConnectivity.none"
        ),
        row(
            "LongRunning",
            "LongRunning.none",
            "WaybillOperationsTests/Operations/LongRunningTests",
            "LongRunning.none makes the first response the result, and there is nothing to follow"
        ),
        row(
            "Resumable",
            "Resumable.none",
            "WaybillTransfersTests/Uploads/ResumableDeclarationTests",
            "Resumable.none sends an ordinary upload, and one that resumes is a declaration error"
        ),
    ]

    private static let streams: [Row] = [
        row("Decode.StreamFormat", streamed, body: #"[{"id":1}]"#) {
            Decode.StreamFormat(.jsonLines)
        } off: {
            Decode.StreamFormat.none
        },
        row("Events.mediaTypes", "Events.MediaTypes.none", events, body: "data: {\"id\":1}\n\n") {
            Events.mediaTypes("application/json")
        } off: {
            Events.MediaTypes.none
        },
        row(
            "Events.until",
            "Events.End.none",
            "WaybillTransfersTests/Events/EventStreamEndTests",
            "Events.End.none turns off the end event of an outer scope"
        ),
        row(
            "Events.reconnection",
            "Events.Reconnection.none",
            "WaybillTransfersTests/Events/EventStreamEndTests",
            "Events.Reconnection.none of an inner scope turns off the reconnecting of an outer one"
        ),
        row(
            "Events.ignoreUnknown",
            "Events.IgnoredUnknown.none",
            "WaybillTransfersTests/Events/NamedEventTests",
            "Events.IgnoredUnknown.none turns off the clause of an outer scope"
        ),
    ]

    private static func row(_ clause: String, _ off: String, _ file: String, _ name: String) -> Row {
        Row(clause: clause, off: off, evidence: .test(NamedTest(file, name)))
    }

    private static func row(
        _ clause: String,
        _ off: String? = nil,
        _ call: @escaping @Sendable (Client, Scope) async throws -> String,
        status: HTTPResponse.Status = 200,
        body: String = #"{"id":1,"unit_price":2,"data":{"id":3},"error":"a"}"#,
        @Scope.Builder clauses outer: () -> Scope,
        @Scope.Builder off inner: () -> Scope
    ) -> Row {
        let proof = Proof(
            outer: outer(),
            inner: inner(),
            responses: { request in
                if request.url.path.hasSuffix("moved") { return .json(body) }
                return .json(body, status: status).header("Location", "moved").header("Cache-Control", "max-age=60")
            },
            call: call
        )
        return Row(clause: clause, off: off ?? "\(clause).none", evidence: .call(proof))
    }
}
