import Foundation
import Waybill

/// Turns an answer into what is to be done on the wire: no I/O, no waiting.
struct AnswerSerializer: Sendable {
    /// One thing to do.
    enum Step: Sendable {
        case send(Data)
        case drip(Data, Delivery.Drip)
        case wait(Delivery.Wait)
        case open(Gate)
    }

    /// What becomes of the connection after the steps.
    enum Ending: Sendable, Hashable {
        case keepAlive
        case close
        case reset
    }

    /// What the request says about the shape of its answer.
    struct Request: Sendable {
        var method: HTTPRequest.Method
        var minorVersion = 1
        var isPersistent = true
    }

    private(set) var steps: [Step]
    let ending: Ending

    init(_ answer: Answer, to request: Request) {
        steps = answer.delivery.beforeHead.map(Step.wait)
        ending = Self.ending(of: answer, to: request)
        appendMessage(answer, to: request)
        guard let late = answer.delivery.lateBytes else { return }
        if late.pause > .zero { steps.append(.wait(.duration(late.pause))) }
        append(late.bytes)
        if let gate = late.gate { steps.append(.open(gate)) }
    }

    private mutating func appendMessage(_ answer: Answer, to request: Request) {
        let delivery = answer.delivery
        let cut = Self.cut(delivery.ending, bodyCount: answer.body.count)
        let sentBody = answer.body.prefix(cut?.sent ?? answer.body.count)
        if case .cut(.beforeHead, _) = delivery.ending { return }
        if delivery.isRaw { return append(sentBody, drip: delivery.drip) }

        let head = ResponseHead(answer, to: request, promisedLength: cut?.promised, ending: ending).bytes
        if case .cut(.insideHead, _) = delivery.ending {
            // Half of the fields: behind the status line, and well before the empty line.
            let line = (head.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
            return append(head.prefix(line + (head.count - line) / 2))
        }
        append(head)
        guard request.method != .head, Self.mayHaveBody(answer.status) else { return }
        steps += delivery.beforeBody.map(Step.wait)
        if let size = delivery.chunkSize, request.minorVersion >= 1 {
            append(Self.chunks(of: answer.body, size: size, sent: cut?.sent), drip: delivery.drip)
        } else {
            append(sentBody, drip: delivery.drip)
        }
    }

    /// Whether a response of that status can have a body (RFC 9110, section 6.4.1).
    static func mayHaveBody(_ status: HTTPResponse.Status) -> Bool {
        status != 204 && status != 304 && status.kind != .informational
    }

    /// How many bytes of a body are promised and how many are sent where an ending cuts it; nil where none does.
    static func cut(_ ending: Delivery.Ending, bodyCount: Int) -> (promised: Int, sent: Int)? {
        guard case .cut(let point, _) = ending else { return nil }
        let sent =
            switch point {
            case .beforeHead, .insideHead, .afterHead: 0
            case .insideBody: bodyCount / 2
            case .afterBodyBytes(let count): min(max(0, count), bodyCount)
            }
        return (promised: max(bodyCount, sent + 1), sent: sent)
    }

    private static func ending(of answer: Answer, to request: Request) -> Ending {
        switch answer.delivery.ending {
        case .cut(_, let isReset): return isReset ? .reset : .close
        case .closes: return .close
        case .keepsAlive: break
        }
        guard request.isPersistent else { return .close }
        // Nothing but the end of the connection says where the body of a chunked answer ends for HTTP/1.0.
        if answer.delivery.chunkSize != nil && request.minorVersion == 0 { return .close }
        // A length that is not the body's leaves the client at another place than the server.
        let stated = answer.headerFields[.contentLength].map { Int($0) ?? -1 } ?? answer.body.count
        let isTrue = stated == answer.body.count || request.method == .head || !mayHaveBody(answer.status)
        return isTrue || answer.delivery.isRaw ? .keepAlive : .close
    }

    /// The body in chunked coding (RFC 9112, section 7.1), or the beginning of it that has `sent` bytes of the body.
    private static func chunks(of body: Data, size: Int, sent: Int?) -> Data {
        var wire = Data()
        for start in stride(from: 0, to: body.count, by: size) {
            let chunk = body.dropFirst(start).prefix(size)
            wire += Data((String(chunk.count, radix: 16) + "\r\n").utf8)
            if let sent, sent < start + chunk.count { return wire + chunk.prefix(sent - start) }
            wire += chunk + Data("\r\n".utf8)
        }
        return sent == nil ? wire + Data("0\r\n\r\n".utf8) : wire
    }

    private mutating func append(_ bytes: Data, drip: Delivery.Drip? = nil) {
        guard !bytes.isEmpty else { return }
        if let drip { return steps.append(.drip(bytes, drip)) }
        // A head and a small body in one piece are one system call and one packet; a large body is better not copied.
        if case .send(let before) = steps.last, before.count + bytes.count <= 64 << 10 {
            steps[steps.count - 1] = .send(before + bytes)
        } else {
            steps.append(.send(bytes))
        }
    }
}
