import Waybill
import WaybillTesting

extension Fault {
    /// Connections that do not come about, are silent or break.
    static let connections: [Fault] = [
        Fault(
            name: "Nothing listens at the port",
            place: .nothing,
            expected: .failure(.cannotConnect),
            phase: .connecting
        ),
        Fault(
            name: "The host has no address",
            place: .nowhere,
            expected: .failure(.cannotResolveHost),
            phase: .resolving
        ),
        Fault(
            name: "A body that comes byte by byte",
            answer: .text("fine").dripped(bytes: 1, every: .milliseconds(1)),
            expected: .answer()
        ),
        Fault(
            name: "A head that comes byte by byte",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine").dripped(bytes: 1, every: .milliseconds(1)),
            expected: .answer()
        ),
        Fault(
            name: "Reset before the head",
            answer: .reset(.beforeHead),
            expected: .failure(.connectionLost),
            phase: .waiting
        ),
        Fault(
            name: "Reset inside the head",
            answer: .reset(.insideHead),
            expected: .failure(.connectionLost),
            phase: .waiting
        ),
        Fault(
            name: "Reset after the head",
            answer: .reset(.afterHead),
            expected: .failure(.connectionLost)
        ),
        Fault(name: "Reset inside the body", answer: .reset(.insideBody), expected: .failure(.connectionLost)),
        Fault(
            name: "Closed before the head",
            answer: .text("fine").closed(.beforeHead),
            expected: .failure(.connectionLost),
            phase: .waiting
        ),
        Fault(
            name: "Closed inside the header block",
            answer: .text("fine").closed(.insideHead),
            expected: .failure(.connectionLost),
            phase: .waiting,
            urlSession: .endsProcess(noResponse)
        ),
        Fault(
            name: "Closed between two header fields",
            answer: .raw("HTTP/1.1 200 OK\r\nX-One: 1\r\n"),
            expected: .failure(.connectionLost),
            phase: .waiting,
            urlSession: .endsProcess(noResponse)
        ),
        Fault(
            name: "Closed between `Content-Length` and another header field",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n"),
            expected: .failure(.connectionLost),
            phase: .waiting
        ),
        Fault(
            name: "Closed inside the status line",
            answer: .raw("HTTP/1.1 20"),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "Closed with a `Content-Length` of 0",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
            expected: .answer(Reply(body: ""))
        ),
        Fault(
            name: "Closed at the end of a body without a length",
            answer: .raw("HTTP/1.1 200 OK\r\n\r\nfine"),
            expected: .answer()
        ),
    ]

    /// What URLSession says at its end where libcurl takes what there was for a response.
    static let noResponse = "Transfer completed, but there's no response."
}
