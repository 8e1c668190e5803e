import Foundation
import Waybill

/// The delivery of a stubbed response without a connection: waits sleep on the clock, and cuts throw.
struct StubPlayback: Sendable {
    /// A step in the delivery of a body.
    private enum Step: Sendable {
        case chunk(Data)
        case wait(Delivery.Wait)
        case fail(TransportError)
    }

    let stubbed: StubResponse
    let clock: any Clock<Duration>

    /// Returns the response after the delays before its head.
    func response(to method: HTTPRequest.Method) async throws -> HTTPResponse {
        for wait in stubbed.delivery.beforeHead { try await pass(wait) }
        try Task.checkCancellation()
        if let failure = stubbed.delivery.failure { throw failure }
        switch stubbed.delivery.ending {
        case .cut(.beforeHead, _), .cut(.insideHead, _): throw Self.lost
        default: break
        }
        guard !stubbed.delivery.isRaw else { throw TransportError(.invalidResponse, "the response is raw bytes") }
        return HTTPResponse(
            status: stubbed.status,
            headerFields: stubbed.headerFields,
            body: body(for: method),
            url: nil
        )
    }

    /// Waits; throws `CancellationError` if the task is cancelled.
    private func pass(_ wait: Delivery.Wait) async throws {
        switch wait {
        case .duration(let duration): try await clock.sleep(for: duration)
        case .gate(let gate): await gate.waitUntilOpen()
        case .forever: await Gate().waitUntilOpen()
        }
        try Task.checkCancellation()
    }

    private static let lost = TransportError(.connectionLost, "the stub cut the response")

    private func body(for method: HTTPRequest.Method) -> HTTPBody {
        let hasBody = method != .head && ResponseSerializer.mayHaveBody(stubbed.status)
        let delivery = stubbed.delivery
        var steps = delivery.beforeBody.map(Step.wait)
        if hasBody {
            let cut = ResponseSerializer.cut(delivery.ending, bodyCount: stubbed.body.count)
            steps += chunks(of: stubbed.body.prefix(cut?.sent ?? stubbed.body.count))
            if cut != nil { steps.append(.fail(Self.lost)) }
        }
        let isPlain = steps.allSatisfy { if case .chunk = $0 { true } else { false } } && steps.count <= 1
        if isPlain && delivery.chunkSize == nil { return HTTPBody(hasBody ? stubbed.body : Data()) }
        let wholeLength = delivery.chunkSize == nil ? stubbed.body.count : nil
        let length = hasBody ? wholeLength : 0
        let chunks = ProducedChunks { [steps] in
            steps[...]
        } next: { steps in
            try Task.checkCancellation()
            while let step = steps.popFirst() {
                switch step {
                case .chunk(let chunk): return chunk
                case .wait(let wait): try await pass(wait)
                case .fail(let error): throw error
                }
            }
            return nil
        }
        return HTTPBody(chunks, length: length)
    }

    private func chunks(of body: Data) -> [Step] {
        let size = stubbed.delivery.drip?.bytes ?? stubbed.delivery.chunkSize ?? max(1, body.count)
        var steps: [Step] = []
        for start in stride(from: 0, to: body.count, by: size) {
            if start > 0, let pause = stubbed.delivery.drip?.pause { steps.append(.wait(.duration(pause))) }
            steps.append(.chunk(body.dropFirst(start).prefix(size)))
        }
        return steps
    }
}
