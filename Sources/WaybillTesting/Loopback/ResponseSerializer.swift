import Foundation
import Waybill

/// The steps for sending a response, computed without I/O or waiting.
struct ResponseSerializer: Sendable {
    /// A step: bytes to send, a wait, or a gate to open.
    enum Step: Sendable {
        case send(Data)
        case drip(Data, Delivery.Drip)
        case wait(Delivery.Wait)
        case open(Gate)
    }

    /// The handling of the connection after the steps.
    enum Ending: Sendable, Hashable {
        case keepAlive
        case close
        case reset
    }

    /// The properties of a request that affect the response.
    struct Request: Sendable {
        var method: HTTPRequest.Method
        var minorVersion = 1
        var isPersistent = true
    }

    private(set) var steps: [Step]
    let ending: Ending

    init(_ response: StubResponse, to request: Request) {
        steps = response.delivery.beforeHead.map(Step.wait)
        ending = Self.ending(of: response, to: request)
        appendMessage(response, to: request)
        guard let late = response.delivery.lateBytes else { return }
        if late.pause > .zero { steps.append(.wait(.duration(late.pause))) }
        append(late.bytes)
        if let gate = late.gate { steps.append(.open(gate)) }
    }

    private mutating func appendMessage(_ response: StubResponse, to request: Request) {
        let delivery = response.delivery
        let cut = Self.cut(delivery.ending, bodyCount: response.body.count)
        let sentBody = response.body.prefix(cut?.sent ?? response.body.count)
        if case .cut(.beforeHead, _) = delivery.ending { return }
        if delivery.isRaw { return append(sentBody, drip: delivery.drip) }

        let head = Self.head(of: response, to: request, promisedLength: cut?.promised, ending: ending)
        if case .cut(.insideHead, _) = delivery.ending {
            // Sends half of the fields: past the status line, but well before the empty line.
            let line = (head.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
            return append(head.prefix(line + (head.count - line) / 2))
        }
        append(head)
        guard request.method != .head, Self.mayHaveBody(response.status) else { return }
        steps += delivery.beforeBody.map(Step.wait)
        if let size = delivery.chunkSize, request.minorVersion >= 1 {
            append(Self.chunks(of: response.body, size: size, sent: cut?.sent), drip: delivery.drip)
        } else {
            append(sentBody, drip: delivery.drip)
        }
    }

    /// Returns whether a response with a given status can have a body (RFC 9110, section 6.4.1).
    static func mayHaveBody(_ status: HTTPResponse.Status) -> Bool {
        status != 204 && status != 304 && status.kind != .informational
    }

    /// Returns the declared and the sent length of a body that the ending cuts; nil if the ending does not cut the
    /// response.
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

    private static func ending(of response: StubResponse, to request: Request) -> Ending {
        switch response.delivery.ending {
        case .cut(_, let isReset): return isReset ? .reset : .close
        case .closes: return .close
        case .keepsAlive: break
        }
        guard request.isPersistent else { return .close }
        // For an HTTP/1.0 client, closing the connection is the only way to end a body of unknown length.
        if response.delivery.chunkSize != nil && request.minorVersion == 0 { return .close }
        // After a wrong length, client and server disagree on where the next response begins.
        let stated = response.headerFields[.contentLength].map { Int($0) ?? -1 } ?? response.body.count
        let isTrue = stated == response.body.count || request.method == .head || !mayHaveBody(response.status)
        return isTrue || response.delivery.isRaw ? .keepAlive : .close
    }

    /// Returns the body in chunked coding (RFC 9112, section 7.1), cut after `sent` bytes of the body if that is not
    /// nil.
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
        // Sends a head and a small body with one system call. Copying a large body would cost more than a second call.
        if case .send(let before) = steps.last, before.count + bytes.count <= 64 << 10 {
            steps[steps.count - 1] = .send(before + bytes)
        } else {
            steps.append(.send(bytes))
        }
    }
}

extension ResponseSerializer {
    /// Returns the encoded head of a response (RFC 9112, section 4): the status line, the stubbed fields, and the
    /// framing and connection fields.
    private static func head(
        of response: StubResponse,
        to request: Request,
        promisedLength: Int?,
        ending: Ending
    ) -> Data {
        var text = "HTTP/1.1 \(response.status.code) \(phrase(of: response.status))\r\n"
        for field in response.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
        text += framing(of: response, to: request, promisedLength: promisedLength)
        if !response.headerFields.contains(.connection) {
            switch (ending, response.delivery.ending) {
            case (.close, .closes(announced: true)), (.close, .keepsAlive): text += "Connection: close\r\n"
            case (.keepAlive, _) where request.minorVersion == 0: text += "Connection: keep-alive\r\n"
            default: break
            }
        }
        return Data(FieldText.bytes(of: text + "\r\n"))
    }

    private static func phrase(of status: HTTPResponse.Status) -> String {
        guard status.reasonPhrase.isEmpty else { return status.reasonPhrase }
        return status.description.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
    }

    private static func framing(of response: StubResponse, to request: Request, promisedLength: Int?) -> String {
        let fields = response.headerFields
        guard mayHaveBody(response.status), !fields.contains(.contentLength), !fields.contains(.transferEncoding)
        else { return "" }
        guard response.delivery.chunkSize == nil else {
            return request.minorVersion >= 1 ? "Transfer-Encoding: chunked\r\n" : ""
        }
        return "Content-Length: \(promisedLength ?? response.body.count)\r\n"
    }
}
