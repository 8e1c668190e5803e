import Foundation
import Waybill
import WaybillTesting

/// Each clause with the clause of an inner scope that turns it off.
nonisolated struct OffTable {
    /// A call that shows whether a clause is in effect.
    struct Proof: Sendable {
        let outer: Scope
        let inner: Scope
        let responses: @Sendable (ReceivedRequest) -> StubResponse
        let call: @Sendable (Client, Scope) async throws -> String

        /// Returns a trace of what the server, the transport and the caller observe.
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
        /// A call that the clause changes, unless the clause is turned off.
        case call(Proof)
        /// A test in the module that declares the clause.
        case test(NamedTest)
        /// No scope needs to turn the clause off.
        case needless
    }

    struct Row: Sendable, CustomStringConvertible {
        let clause: String
        /// The clause that turns it off, as written on the page.
        let off: String
        let evidence: Evidence

        var description: String { clause }

        var proof: Proof? { if case .call(let proof) = evidence { proof } else { nil } }

        var test: NamedTest? { if case .test(let test) = evidence { test } else { nil } }
    }

    /// A transport with stubbed responses that also records its options.
    struct Wire: Transport {
        private let stub: StubTransport
        private let options = Locked<[String]>([])

        init(responses: @escaping @Sendable (ReceivedRequest) -> StubResponse) { stub = StubTransport(responses) }

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            var limit = "no limit"
            if case .duration(let time) = options.timeout { limit = "\(time)" }
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

// Factory methods for rows.
nonisolated extension OffTable {
    static func row(_ clause: String, _ off: String, _ file: String, _ name: String) -> Row {
        Row(clause: clause, off: off, evidence: .test(NamedTest(file, name)))
    }

    static func row(
        _ clause: String,
        _ call: @escaping @Sendable (Client, Scope) async throws -> String,
        by off: String? = nil,
        status: HTTPResponse.Status = 200,
        location: String = "moved",
        body: String = #"{"id":1,"unit_price":2,"data":{"id":3},"error":"a"}"#,
        @Scope.Builder clauses outer: () -> Scope,
        @Scope.Builder off inner: () -> Scope
    ) -> Row {
        let proof = Proof(
            outer: outer(),
            inner: inner(),
            responses: { request in
                if request.url.path.hasSuffix("moved") { return .json(body) }
                return .json(body, status: status).header("Location", location).header("Cache-Control", "max-age=60")
            },
            call: call
        )
        return Row(clause: clause, off: off ?? "\(clause).none", evidence: .call(proof))
    }
}
