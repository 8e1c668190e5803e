import Foundation
import Waybill

/// A connection to a server, which reads requests and responds to them on a dedicated thread.
struct LoopbackConnection {
    private let number: Int
    private let context: LoopbackContext
    private var stream: ConnectionStream
    private var parser: RequestParser

    /// Serves requests until the connection ends.
    ///
    /// Closes the socket on return, unless the caller retains it.
    static func serve(_ socket: consuming Socket, number: Int, context: LoopbackContext) {
        var connection = LoopbackConnection(socket, number: number, context: context)
        do {
            while try connection.serveRequest() {}
        } catch let rejection as RequestRejection {
            try? connection.reject(rejection)
        } catch {
            // No client is left to report the error to.
        }
    }

    private init(_ socket: Socket, number: Int, context: LoopbackContext) {
        self.number = number
        self.context = context
        stream = ConnectionStream(socket: socket, stop: context.stop)
        parser = RequestParser(limits: context.limits)
    }

    /// Reads a request and responds to it.
    ///
    /// - Returns: whether the connection can serve another request.
    private mutating func serveRequest() throws -> Bool {
        let (head, body, trailerFields) = try readRequest()
        let assignment = context.handler.assign(method: head.method, path: head.path)
        // The parser accepts only visible ASCII characters other than `#` in the target.
        let target = head.hasAbsoluteTarget ? head.target : context.url.absoluteString + head.target
        let request = ReceivedRequest(
            method: head.method,
            url: URL(string: target) ?? context.url,
            path: head.path,
            template: assignment.template ?? String(head.path.drop { $0 == "/" }),
            pathValues: assignment.pathValues,
            query: head.query,
            headerFields: head.headerFields,
            body: body,
            wire: .init(connection: number, head: head.bytes, trailerFields: trailerFields)
        )
        context.record.add(request)
        let response = try response(by: assignment.plan, to: request)
        let script = ResponseSerializer(
            response,
            to: .init(method: head.method, minorVersion: head.minorVersion, isPersistent: head.isPersistent)
        )
        for step in script.steps { try perform(step) }
        if script.ending == .reset { stream.socket.resetOnClose() }
        return script.ending == .keepAlive
    }

    private mutating func readRequest() throws -> (RequestHead, Data, HTTPFields) {
        var head: RequestHead?
        var body = Data()
        while true {
            switch try parser.next() {
            case .head(let parsed):
                head = parsed
                if parsed.expectsContinue, parsed.framing != .length(0), !parser.hasUnreadBytes {
                    try stream.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                }
            case .body(let piece): body.append(piece)
            case .end(let trailerFields):
                guard let head else { throw ConnectionStream.ConnectionClosed() }
                return (head, body, trailerFields)
            case nil: parser.append(try stream.receive())
            }
        }
    }

    /// Responds with the reason for a rejection, then closes the connection without discarding the response.
    private mutating func reject(_ rejection: RequestRejection) throws {
        let response = StubResponse.text(rejection.reason + "\n", status: rejection.status).closing()
        for step in ResponseSerializer(response, to: .init(method: .get)).steps { try perform(step) }
        try stream.closeGently()
    }

    private func response(by plan: RequestHandler.Plan, to request: ReceivedRequest) throws -> StubResponse {
        switch plan {
        case .response(let response): return response
        case .closure(let closure):
            let task = try ClosureTask(closure, request: request)
            defer { task.end() }
            var outcome: Result<StubResponse, any Error>?
            try stream.pause(waker: task.waker) {
                outcome = task.advance()
                return outcome != nil
            }
            switch outcome {
            case .success(let response): return response
            case .failure(let error as TransportError): return .failure(error)
            case .failure(let error): return .text("The closure for responses threw: \(error)\n", status: 500)
            case nil: throw ConnectionStream.ConnectionClosed()
            }
        }
    }

    private func perform(_ step: ResponseSerializer.Step) throws {
        switch step {
        case .send(let bytes): try stream.send(bytes)
        case .drip(let bytes, let drip):
            var rest = bytes[...]
            while !rest.isEmpty {
                try stream.send(rest.prefix(drip.bytes))
                rest = rest.dropFirst(drip.bytes)
                if !rest.isEmpty { try stream.pause(for: drip.pause) }
            }
        case .wait(.duration(let duration)): try stream.pause(for: duration)
        case .wait(.gate(let gate)):
            let waker = try Waker()
            let id = gate.whenOpen { waker.wake() }
            defer { gate.forget(id) }
            try stream.pause(waker: waker) { gate.isOpen }
        case .wait(.forever): try stream.pause()
        case .open(let gate): gate.open()
        }
    }
}
