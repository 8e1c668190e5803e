import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Faults", .timeLimit(.minutes(10)))
struct FaultTests {
    @Test(
        "gives the typed error or the right answer, and the next call is unaffected",
        arguments: Fault.all,
        Carrier.allCases
    )
    func befalls(_ fault: Fault, _ carrier: Carrier) async throws {
        guard carrier == .urlSession, let deviation = fault.urlSession else {
            return try await run(fault, over: carrier)
        }
        switch deviation {
        case .notRun: break
        case .known(let reason):
            await withKnownIssue("URLSession: \(reason)") { try await run(fault, over: carrier) }
        }
    }

    @Test("have names of their own")
    func namesAreUnique() {
        #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
    }

    private func run(_ fault: Fault, over carrier: Carrier) async throws {
        let transport = try carrier.transport(fault.limit)
        let answers: Answers = [
            "\(fault.method == .head ? .get : fault.method) it": fault.answer, "GET next": .text("fine"),
        ]
        try await LoopbackServer.run(answers) { server async throws in
            let url = try url(of: fault, server)
            let request = HTTPRequest(
                method: fault.method,
                url: url,
                body: fault.body.map { HTTPBody(Data($0.utf8)) }
            )
            for _ in 0..<fault.warmUps {
                #expect(try await transport.send(request).body.collect() == Data("fine".utf8))
            }
            if fault.waitsForClose { await server.waitForOpenConnections(atMost: 0) }
            do throws(TransportError) {
                let response = try await transport.send(request)
                check(response, try await response.body.collect(), fault, carrier)
            } catch {
                check(error, fault, carrier)
            }
            if let receipts = fault.receipts { #expect(server.requestCount == fault.warmUps + receipts) }
            for _ in 1...2 {
                let next = HTTPRequest(method: .get, url: server.url.appending(path: "next"))
                #expect(try await patientBody(next, transport) == Data("fine".utf8))
            }
        }
    }

    private func url(of fault: Fault, _ server: LoopbackServer) throws -> URL {
        switch fault.place {
        case .server: return server.url.appending(path: "it")
        case .nowhere: return try #require(URL(string: "http://waybill.invalid/it"))
        case .nothing:
            let gone = try LoopbackServer([:])
            gone.stop()
            return gone.url.appending(path: "it")
        }
    }

    private func check(_ response: HTTPResponse, _ body: Data, _ fault: Fault, _ carrier: Carrier) {
        guard case .answer(let reply) = fault.expected else {
            Issue.record("\(response.status) and \(body.count) bytes came")
            return
        }
        #expect(response.status.code == reply.status)
        #expect(String(decoding: body, as: UTF8.self) == reply.body)
        let lines = lines(response.headerFields)
        if let fields = reply.fields { #expect(lines == fields) }
        for line in reply.holds { #expect(lines.contains(line)) }
        #expect(self.lines(response.body.trailerFields) == reply.trailerFields)
    }

    private func check(_ error: TransportError, _ fault: Fault, _ carrier: Carrier) {
        guard case .failure(let kind, let timeout) = fault.expected else {
            Issue.record("\(error)")
            return
        }
        #expect(error.kind == kind, "\(error)")
        // URLSession has but one limit of time.
        if carrier != .urlSession { #expect(error.timeout == timeout, "\(error)") }
    }

    private func lines(_ fields: HTTPFields) -> [String] { fields.map { "\($0.name.rawName): \($0.value)" } }

    /// The body of a response, which is asked for until it comes: to a machine under load, a limit may be too little.
    private func patientBody(_ request: HTTPRequest, _ transport: any Transport) async throws -> Data {
        while true {
            let error: TransportError
            do { return try await transport.send(request).body.collect() } catch let thrown { error = thrown }
            guard error.kind == .timedOut else { throw error }
        }
    }
}
