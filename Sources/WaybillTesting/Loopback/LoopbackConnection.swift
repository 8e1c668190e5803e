import Foundation
import Waybill

/// One connection of a server, served by the thread that it belongs to.
struct LoopbackConnection {
    /// Why the connection is over: the client or the server has ended it, or it broke.
    struct Over: Error {}

    private let socket: Socket
    private let number: Int
    private let context: LoopbackContext
    private var parser: RequestParser
    private var buffer: [UInt8] = Array(repeating: 0, count: 64 << 10)

    /// Serves requests until the connection is over.
    ///
    /// The socket is closed on return where the caller does not keep it.
    static func serve(_ socket: consuming Socket, number: Int, context: LoopbackContext) {
        var connection = LoopbackConnection(
            socket: socket,
            number: number,
            context: context,
            parser: RequestParser(limits: context.limits)
        )
        do {
            while try connection.serveRequest() {}
        } catch let refusal as RequestRefusal {
            try? connection.refuse(refusal)
        } catch {
            // Nobody is there to be told.
        }
    }

    private init(socket: Socket, number: Int, context: LoopbackContext, parser: RequestParser) {
        self.socket = socket
        self.number = number
        self.context = context
        self.parser = parser
    }

    /// Reads a request and answers it.
    ///
    /// - Returns: whether another may follow.
    private mutating func serveRequest() throws -> Bool {
        let (head, body, trailerFields) = try readRequest()
        let assignment = context.desk.assign(method: head.method, path: head.path)
        let request = ReceivedRequest(
            head,
            body: body,
            trailerFields: trailerFields,
            assignment: assignment,
            server: context.url,
            connection: number
        )
        context.log.record(request)
        let answer = try answer(assignment.plan, request)
        let script = AnswerSerializer(
            answer,
            to: .init(method: head.method, minorVersion: head.minorVersion, isPersistent: head.isPersistent)
        )
        for step in script.steps { try perform(step) }
        if script.ending == .reset { socket.resetOnClose() }
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
                    try send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                }
            case .body(let piece): body.append(piece)
            case .end(let trailerFields):
                guard let head else { throw Over() }
                return (head, body, trailerFields)
            case nil: try receive()
            }
        }
    }

    private mutating func receive() throws {
        while true {
            switch socket.receive(into: &buffer) {
            case .bytes(let count): return parser.append(buffer[..<count])
            case .end, .failed: throw Over()
            case .wouldBlock: try wait(for: .reading)
            }
        }
    }

    /// Says why a request is refused, and closes without losing that: closing with unread bytes would reset.
    private mutating func refuse(_ refusal: RequestRefusal) throws {
        let answer = Answer.text(refusal.reason + "\n", status: refusal.status).closing()
        for step in AnswerSerializer(answer, to: .init(method: .get)).steps { try perform(step) }
        socket.finishSending()
        let end = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < end {
            let outcome = socket.receive(into: &buffer)
            if outcome == .end || outcome == .failed { return }
            if outcome == .wouldBlock { try wait(for: .reading, milliseconds: 1000) }
        }
    }
}

extension LoopbackConnection {
    private func wait(for interest: Descriptor.Interest, milliseconds: Int32? = nil) throws {
        let ready = Descriptor.wait(
            [(context.stop.signal, .reading), (socket.descriptor, interest)],
            milliseconds: milliseconds
        )
        if ready[0] { throw Over() }
    }

    private func send(_ bytes: Data) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                switch socket.transmit(UnsafeRawBufferPointer(rebasing: rest)) {
                case .bytes(let count): rest = rest.dropFirst(count)
                case .wouldBlock: try wait(for: .writing)
                case .end, .failed: throw Over()
                }
            }
        }
    }

    private func perform(_ step: AnswerSerializer.Step) throws {
        switch step {
        case .send(let bytes): try send(bytes)
        case .drip(let bytes, let drip):
            var rest = bytes[...]
            while !rest.isEmpty {
                try send(rest.prefix(drip.bytes))
                rest = rest.dropFirst(drip.bytes)
                if !rest.isEmpty { try pause(for: drip.pause) }
            }
        case .wait(.duration(let duration)): try pause(for: duration)
        case .wait(.gate(let gate)):
            if gate.isOpen { return }
            let waker = try Waker()
            let id = gate.whenOpen { waker.wake() }
            defer { gate.forget(id) }
            try pause(for: nil, waker: waker) { gate.isOpen }
        case .wait(.forever): try pause(for: nil)
        }
    }

    private func answer(_ plan: AnswerDesk.Plan, _ request: ReceivedRequest) throws -> Answer {
        switch plan {
        case .answer(let answer): return answer
        case .closure(let closure):
            let outcome = Monitor<Result<Answer, any Error>?>(nil)
            let waker = try Waker()
            let task = Task {
                let result: Result<Answer, any Error>
                do { result = .success(try await closure(request)) } catch { result = .failure(error) }
                outcome.update { $0 = result }
                waker.wake()
            }
            // Does nothing to a task that is done.
            defer { task.cancel() }
            try pause(for: nil, waker: waker) { outcome.current != nil }
            switch outcome.current {
            case .success(let answer): return answer
            case .failure(let error as TransportError): return .failure(error)
            case .failure(let error): return .text("The closure that answers threw: \(error)\n", status: 500)
            case nil: throw Over()
            }
        }
    }

    /// Waits for a time, or until a waker wakes and it is done.
    ///
    /// - Throws: ``Over`` when the server stops, or the client ends its side.
    private func pause(for duration: Duration?, waker: Waker? = nil, isDone: () -> Bool = { false }) throws {
        let deadline = duration.map { ContinuousClock.now + $0 }
        var watchesClient = true
        while !isDone() {
            let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let rest, rest <= .zero { return }
            var descriptors = [(descriptor: context.stop.signal, interest: Descriptor.Interest.reading)]
            if watchesClient { descriptors.append((socket.descriptor, .reading)) }
            if let waker { descriptors.append((waker.signal, .reading)) }
            let ready = Descriptor.wait(descriptors, milliseconds: rest.map(Self.milliseconds))
            if ready[0] { throw Over() }
            if watchesClient, ready[1] {
                switch socket.peek() {
                case .end, .failed: throw Over()
                // The next request is there already: from now on it hides the end of the connection.
                case .bytes: watchesClient = false
                case .wouldBlock: break
                }
            }
        }
    }

    /// In whole milliseconds, rounded up.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        let wholes = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: min(seconds, 1_000_000) * 1000 + wholes)
    }
}

extension ReceivedRequest {
    fileprivate init(
        _ head: RequestHead,
        body: Data,
        trailerFields: HTTPFields,
        assignment: AnswerDesk.Assignment,
        server: URL,
        connection: Int
    ) {
        method = head.method
        // The target was found to consist of characters that a URL can have.
        url = URL(string: head.hasAbsoluteTarget ? head.target : server.absoluteString + head.target) ?? server
        path = head.path
        template = assignment.template ?? String(head.path.drop { $0 == "/" })
        pathValues = assignment.pathValues
        query = head.query
        headerFields = head.headerFields
        self.body = body
        wire = Wire(connection: connection, head: head.bytes, trailerFields: trailerFields)
    }
}
