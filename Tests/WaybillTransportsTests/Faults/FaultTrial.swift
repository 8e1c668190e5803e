import CallSupport
import Foundation
import Testing
import WaybillTesting

@testable import Waybill

/// One fault over one transport, with its expected outcome.
struct FaultTrial {
    let fault: Fault
    let carrier: Carrier
    let expected: Fault.Expected
    var receipts: Int?

    func run() async throws {
        let responses: StubResponses = [
            "\(fault.method == .head ? .get : fault.method) it": fault.response, "GET next": .text("fine"),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            try await exchange(with: server)
            // A leaked part of a call would keep the transport and its connections alive.
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    private func exchange(with server: LoopbackServer) async throws {
        let transport = try carrier.transport(for: fault)
        let place = try FaultPlace(fault.place, server)
        let request = HTTPRequest(
            method: fault.method,
            url: place.url,
            body: fault.body.map { HTTPBody(Data($0.utf8)) }
        )
        for _ in 0..<fault.warmUps {
            #expect(try await transport.send(request).body.collect() == Data("fine".utf8))
        }
        if fault.waitsForClose { await server.waitForOpenConnections(atMost: 0) }
        do throws(TransportError) {
            let response = try await send(request, over: transport)
            check(response, try await response.body.collect())
        } catch {
            check(error, place.url)
        }
        if let receipts { #expect(server.requestCount == fault.warmUps + receipts) }
        for received in server.requests { #expect(received.text == fault.body ?? "") }
        for _ in 1...2 {
            let next = HTTPRequest(method: .get, url: server.url.appending(path: "next"))
            #expect(try await patientBody(next, transport) == Data("fine".utf8))
        }
    }

    private func send(
        _ request: HTTPRequest,
        over transport: any Transport
    ) async throws(TransportError) -> HTTPResponse {
        guard fault.followsRedirects else { return try await transport.send(request) }
        var request = request
        request.headerFields[.authorization] = "Bearer secret"
        let client = Client(request.url, transport: transport)
        let plan: Call.Plan
        do { plan = try client.endpoint({ GET("") }).plan() } catch { throw TransportError(wrapping: error) }
        let call = Call(plan: plan)
        let redirects = RedirectFollowing(
            next: { (request) async throws(APIError) in
                do throws(TransportError) {
                    return CallResponse(try await transport.send(request.message), to: request)
                } catch {
                    throw call.transportFailure(error)
                }
            },
            call: call
        )
        do throws(APIError) {
            let sent = CallRequest(request, secrets: plan.secrets)
            return try await redirects.send(sent).message
        } catch {
            switch error {
            case .transport(let failure): throw failure.error
            case .cancelled: throw TransportError(.cancelled)
            default: throw TransportError(wrapping: error)
            }
        }
    }

    private func check(_ response: HTTPResponse, _ body: Data) {
        guard case .response(let reply) = expected else {
            Issue.record("\(response.status) and \(body.count) bytes came")
            return
        }
        #expect(response.status.code == reply.status)
        #expect(String(decoding: body, as: UTF8.self) == reply.body)
        let lines = lines(response.headerFields)
        if let fields = reply.fields { #expect(lines == fields || lines == reply.otherFields) }
        for line in reply.holds { #expect(lines.contains(line)) }
        #expect(self.lines(response.body.trailerFields) == reply.trailerFields)
    }

    private func check(_ error: TransportError, _ url: URL) {
        guard case .failure(let kind, let timeout) = expected else {
            Issue.record("\(error)")
            return
        }
        #expect(error.kind == kind, "\(error)")
        guard carrier != .urlSession else { return }
        // URLSession has only one timeout, and does not report the phase.
        #expect(error.timeout == timeout, "\(error)")
        guard let phase = fault.phase else { return }
        #expect(error.phase == phase, "\(error)")
        #expect(error.message.contains(url.host ?? "/"), "\(error)")
    }

    private func lines(_ fields: HTTPFields) -> [String] { fields.map { "\($0.name.rawName): \($0.value)" } }

    /// Returns the body of a response.
    ///
    /// Repeats the request if it times out, because the timeout can be too short on a machine under load.
    private func patientBody(_ request: HTTPRequest, _ transport: any Transport) async throws -> Data {
        while true {
            let error: TransportError
            do { return try await transport.send(request).body.collect() } catch let thrown { error = thrown }
            guard error.kind == .timedOut else { throw error }
        }
    }
}
