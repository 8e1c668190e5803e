import Waybill
import WaybillTesting

extension Fault {
    /// Limits of time and size, one at a time.
    static let limits: [Fault] = [
        Fault(
            name: "A server that takes no more connections",
            place: .full,
            limit: .time(.connect),
            expected: .failure(.timedOut, .connect),
            phase: .connecting
        ),
        Fault(
            name: "Silence before the head",
            answer: .never,
            limit: .time(.firstByte),
            expected: .failure(.timedOut, .firstByte)
        ),
        Fault(
            name: "Silence before the head, after a body was sent",
            answer: .never,
            method: .post,
            body: "fine",
            limit: .time(.firstByte),
            expected: .failure(.timedOut, .firstByte)
        ),
        Fault(
            name: "Silence before the head, after a large body was sent",
            answer: .never,
            method: .put,
            body: String(repeating: "x", count: 200_000),
            limit: .time(.firstByte),
            expected: .failure(.timedOut, .firstByte)
        ),
        Fault(
            name: "Silence inside the head",
            answer: .raw("HTTP/1.1 200 OK\r\nX-One: 1\r\n", closing: false),
            limit: .time(.firstByte),
            expected: .failure(.timedOut, .firstByte)
        ),
        Fault(
            name: "Silence inside the body",
            answer: .text("fine").bodyNever(),
            limit: .time(.idle),
            expected: .failure(.timedOut, .idle)
        ),
        Fault(
            name: "Silence inside the body, after a head that came late",
            answer: .text("fine").delayed(.milliseconds(250)).bodyNever(),
            limit: .time(.idle),
            expected: .failure(.timedOut, .idle)
        ),
        Fault(
            name: "A call that takes too long, before the head",
            answer: .never,
            limit: .time(.total),
            expected: .failure(.timedOut, .total),
            urlSession: .noLimit
        ),
        Fault(
            name: "A call that takes too long, in the body",
            answer: .text("fine").bodyNever(),
            limit: .time(.total),
            expected: .failure(.timedOut, .total),
            urlSession: .noLimit
        ),
        Fault(
            name: "A body that drips for longer than the silence that is allowed",
            answer: .text("fine, byte by byte by byte").dripped(bytes: 1, every: .milliseconds(180)),
            limit: .time(.idle, .seconds(4)),
            expected: .answer(Reply(body: "fine, byte by byte by byte"))
        ),
        Fault(
            name: "A body that drips for longer than the call may take",
            answer: .bytes([UInt8](repeating: 0x78, count: 1_000_000)).dripped(bytes: 1, every: .milliseconds(1)),
            limit: .time(.total),
            expected: .failure(.timedOut, .total),
            urlSession: .noLimit
        ),
        Fault(
            name: "A head with more bytes than are accepted",
            answer: .text("fine").header("X-Long", String(repeating: "x", count: 2000)),
            limit: .headBytes(1000),
            expected: .failure(.headTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "Interim responses with more bytes than are accepted",
            answer: .raw(String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 100)),
            limit: .headBytes(1000),
            expected: .failure(.headTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "Trailer fields with more bytes than are accepted",
            answer: .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n"
                    + "X-Long: \(String(repeating: "x", count: 2000))\r\n\r\n"
            ),
            limit: .headBytes(1000),
            expected: .failure(.headTooLarge),
            urlSession: .endsProcess(noResponse)
        ),
        Fault(
            name: "A body with more bytes than are accepted",
            answer: .bytes([UInt8](repeating: 0x78, count: 2000)),
            limit: .bodyBytes(1000),
            expected: .failure(.bodyTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "Chunks with more bytes than are accepted",
            answer: .bytes([UInt8](repeating: 0x78, count: 2000)).chunked(size: 100),
            limit: .bodyBytes(1000),
            expected: .failure(.bodyTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "A body with as many bytes as are accepted",
            answer: .text("fine"),
            limit: .bodyBytes(4),
            expected: .answer(),
            urlSession: .noLimit
        ),
    ]
}
