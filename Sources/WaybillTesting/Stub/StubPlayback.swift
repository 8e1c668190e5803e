import Foundation
import Waybill

/// Plays an answer to a stub's client: its waits are waited, its cuts are errors.
struct StubPlayback: Sendable {
    /// A step of a body.
    enum Step: Sendable {
        case chunk(Data)
        case wait(Delivery.Wait)
        case fail(TransportError)
    }

    let answer: Answer
    let clock: any Clock<Duration>

    /// Waits what is to be waited before the head, and gives the response.
    func response(to method: HTTPRequest.Method) async throws -> HTTPResponse {
        for wait in answer.delivery.beforeHead { try await pass(wait) }
        try Task.checkCancellation()
        if let failure = answer.delivery.failure { throw failure }
        switch answer.delivery.ending {
        case .cut(.beforeHead, _), .cut(.insideHead, _): throw Self.lost
        default: break
        }
        guard !answer.delivery.isRaw else { throw TransportError(.invalidResponse, "the answer is raw bytes") }
        return HTTPResponse(
            status: answer.status,
            headerFields: answer.headerFields,
            body: body(for: method),
            url: nil
        )
    }

    /// Waits, and throws `CancellationError` where the task is cancelled.
    func pass(_ wait: Delivery.Wait) async throws {
        switch wait {
        case .duration(let duration): try await clock.sleep(for: duration)
        case .gate(let gate): await gate.waitUntilOpen()
        case .forever: await Gate().waitUntilOpen()
        }
        try Task.checkCancellation()
    }

    private static let lost = TransportError(.connectionLost, "the answer is cut there")

    private func body(for method: HTTPRequest.Method) -> HTTPBody {
        let hasBody = method != .head && AnswerSerializer.mayHaveBody(answer.status)
        let delivery = answer.delivery
        var steps = delivery.beforeBody.map(Step.wait)
        if hasBody {
            let cut = AnswerSerializer.cut(delivery.ending, bodyCount: answer.body.count)
            steps += chunks(of: answer.body.prefix(cut?.sent ?? answer.body.count))
            if cut != nil { steps.append(.fail(Self.lost)) }
        }
        let isPlain = steps.allSatisfy { if case .chunk = $0 { true } else { false } } && steps.count <= 1
        if isPlain && delivery.chunkSize == nil { return HTTPBody(hasBody ? answer.body : Data()) }
        let length = hasBody ? delivery.chunkSize == nil ? answer.body.count : nil : 0
        return HTTPBody(StubBody(steps: steps, playback: self), length: length)
    }

    private func chunks(of body: Data) -> [Step] {
        let size = answer.delivery.drip?.bytes ?? answer.delivery.chunkSize ?? max(1, body.count)
        var steps: [Step] = []
        for start in stride(from: 0, to: body.count, by: size) {
            if start > 0, let pause = answer.delivery.drip?.pause { steps.append(.wait(.duration(pause))) }
            steps.append(.chunk(body.dropFirst(start).prefix(size)))
        }
        return steps
    }
}

/// The body of a stub's response, which waits and breaks off as its answer says.
struct StubBody: AsyncSequence, Sendable {
    let steps: [StubPlayback.Step]
    let playback: StubPlayback

    struct Iterator: AsyncIteratorProtocol {
        var steps: ArraySlice<StubPlayback.Step>
        let playback: StubPlayback

        mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            while let step = steps.popFirst() {
                switch step {
                case .chunk(let chunk): return chunk
                case .wait(let wait): try await playback.pass(wait)
                case .fail(let error): throw error
                }
            }
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(steps: steps[...], playback: playback) }
}
