import CallSupport
import Waybill
import WaybillTesting

extension Fault {
    /// Connections that are not established, are slow, or break.
    static let connections: [Fault] = [
        Fault(
            name: "No listener at the port",
            place: .nothing,
            expected: .failure(.cannotConnect),
            phase: .connecting
        ),
        Fault(
            name: "A host without an address",
            place: .nowhere,
            expected: .failure(.cannotResolveHost),
            phase: .resolving
        ),
        Fault(
            name: "A body that arrives byte by byte",
            response: .text("fine").dripped(bytes: 1, every: .milliseconds(1)),
            expected: .response()
        ),
        Fault(
            name: "A head that arrives byte by byte",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine").dripped(
                bytes: 1,
                every: .milliseconds(1)
            ),
            expected: .response()
        ),
        Fault(
            name: "Reset before the head",
            response: .reset(.beforeHead),
            expected: .failure(.connectionLost),
            phase: .waiting
        ),
        Fault(
            name: "Reset inside the head",
            response: .reset(.insideHead),
            expected: .failure(.connectionLost),
            phase: .waiting
        ),
        Fault(
            name: "Reset after the head",
            response: .reset(.afterHead),
            expected: .failure(.connectionLost)
        ),
        Fault(name: "Reset inside the body", response: .reset(.insideBody), expected: .failure(.connectionLost)),
        Fault(
            name: "Closed before the head",
            response: .text("fine").closed(.beforeHead),
            expected: .failure(.connectionLost),
            phase: .waiting
        ),
        Fault(
            name: "Closed inside the header block",
            response: .text("fine").closed(.insideHead),
            expected: .failure(.connectionLost),
            phase: .waiting,
            urlSession: .endsProcess(noResponse)
        ),
        Fault(
            name: "Closed between two header fields",
            response: .raw("HTTP/1.1 200 OK\r\nX-One: 1\r\n"),
            expected: .failure(.connectionLost),
            phase: .waiting,
            urlSession: .endsProcess(noResponse)
        ),
        Fault(
            name: "Closed between `Content-Length` and another header field",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n"),
            expected: .failure(.connectionLost),
            phase: .waiting
        ),
        Fault(
            name: "Closed inside the status line",
            response: .raw("HTTP/1.1 20"),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "Closed with a `Content-Length` of 0",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            expected: .response(Reply(body: ""))
        ),
        Fault(
            name: "Closed at the end of a body without a length",
            response: .raw("HTTP/1.1 200 OK\r\n\r\nfine"),
            expected: .response()
        ),
    ]

    /// URLSession's fatal error for a response that libcurl accepts.
    static let noResponse = "Transfer completed, but there's no response."
}
