import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transports: pausing", .inTurn, .safetyNet)
struct TransportPauseTests {
    @Test(
        "A request paused before sending is sent only after it is resumed",
        arguments: Carrier.allCases
    )
    func beforehand(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(["GET it": .text("held"), "GET fine": .text("fine")]) { server async throws in
            let control = TransferControl()
            control.pause()
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            let options = TransferOptions(control: control)
            let call = Task { try await transport.send(request, options: options).body.collect() }
            for _ in 0..<50 { try await transport.expectWorks(server) }
            #expect(server.requests.allSatisfy { $0.path == "/fine" })
            control.resume()
            #expect(try await call.value == Data("held".utf8))
        }
    }

    @Test("A request paused before sending can be cancelled", arguments: Carrier.allCases)
    func cancelled(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(["GET fine": .text("fine")]) { server async throws in
            let control = TransferControl()
            control.pause()
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            let options = TransferOptions(control: control)
            let call = Task { try await transport.send(request, options: options).body.collect() }
            try await transport.expectWorks(server)
            call.cancel()
            let error = await #expect(throws: TransportError.self) { try await call.value }
            #expect(error?.kind == .cancelled)
            control.resume()
            for _ in 0..<50 { try await transport.expectWorks(server) }
            #expect(server.requests.allSatisfy { $0.path == "/fine" })
        }
    }

    @Test("A body paused at every chunk is delivered completely", arguments: Carrier.allCases)
    func insideBody(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let bytes = Data.sample(count: 5_000_000)
        try await LoopbackServer.run(["GET it": .bytes(bytes)]) { server async throws in
            let control = TransferControl()
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            let options = TransferOptions(control: control)
            var collected = Data()
            for try await chunk in try await transport.send(request, options: options).body {
                collected.append(chunk)
                control.pause()
                for _ in 0..<10 { await Task.yield() }
                control.resume()
            }
            #expect(collected == bytes)
        }
    }

    @Test("A transport that cannot pause a call in flight ignores the pause", arguments: Carrier.allCases)
    func ignored(_ carrier: Carrier) async throws {
        guard carrier.deviations.contains(.pausesUnsentOnly) else { return }
        let transport = try carrier.transport()
        let gate = Gate()
        try await LoopbackServer.run(["GET it": .text("fine").held(by: gate)]) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            let control = TransferControl()
            let options = TransferOptions(control: control)
            let call = Task { try await transport.send(request, options: options).body.collect() }
            _ = await server.waitForRequests(count: 1)
            control.pause()
            gate.open()
            #expect(try await call.value == Data("fine".utf8))
        }
    }
}
