import CallSupport
import Waybill
import WaybillTesting

extension Fault {
    /// Timeouts and size limits, one at a time.
    static let limits: [Fault] = [
        Fault(
            name: "A server that accepts no more connections",
            place: .full,
            limit: .time(.connect),
            expected: .failure(.timedOut, .connect),
            phase: .connecting
        ),
        Fault(
            name: "Silence before the head",
            response: .never,
            limit: .time(.firstByte),
            expected: .failure(.timedOut, .firstByte)
        ),
        Fault(
            name: "Silence before the head, after a body was sent",
            response: .never,
            method: .post,
            body: "fine",
            limit: .time(.firstByte),
            expected: .failure(.timedOut, .firstByte)
        ),
        Fault(
            name: "Silence before the head, after a large body was sent",
            response: .never,
            method: .put,
            body: String(repeating: "x", count: 200_000),
            limit: .time(.firstByte),
            expected: .failure(.timedOut, .firstByte)
        ),
        Fault(
            name: "Silence inside the head",
            response: .raw("HTTP/1.1 200 OK\r\nX-One: 1\r\n", closing: false),
            limit: .time(.firstByte),
            expected: .failure(.timedOut, .firstByte)
        ),
        Fault(
            name: "Silence inside the body",
            response: .text("fine").bodyNever(),
            limit: .time(.idle),
            expected: .failure(.timedOut, .idle)
        ),
        Fault(
            name: "Silence inside the body, after a late head",
            response: .text("fine").delayed(.milliseconds(250)).bodyNever(),
            limit: .time(.idle),
            expected: .failure(.timedOut, .idle)
        ),
        Fault(
            name: "The end of the total time before the head",
            response: .never,
            limit: .time(.total),
            expected: .failure(.timedOut, .total),
            urlSession: .noLimit
        ),
        Fault(
            name: "The end of the total time inside the body",
            response: .text("fine").bodyNever(),
            limit: .time(.total),
            expected: .failure(.timedOut, .total),
            urlSession: .noLimit
        ),
        Fault(
            name: "A slow body that takes longer than the idle time",
            response: .text("byte by byte").dripped(bytes: 1, every: .milliseconds(800)),
            limit: .time(.idle, .seconds(8)),
            expected: .response(Reply(body: "byte by byte"))
        ),
        Fault(
            name: "A slow body that takes longer than the total time",
            response: .bytes([UInt8](repeating: 0x78, count: 1_000_000)).dripped(bytes: 1, every: .milliseconds(1)),
            limit: .time(.total),
            expected: .failure(.timedOut, .total),
            urlSession: .noLimit
        ),
        Fault(
            name: "A head beyond its limit",
            response: .text("fine").header("X-Long", String(repeating: "x", count: 2000)),
            limit: .headBytes(1000),
            expected: .failure(.headTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "Interim responses beyond the limit of a head",
            response: .raw(String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 100)),
            limit: .headBytes(1000),
            expected: .failure(.headTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "Trailer fields beyond the limit of a head",
            response: .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n"
                    + "X-Long: \(String(repeating: "x", count: 2000))\r\n\r\n"
            ),
            limit: .headBytes(1000),
            expected: .failure(.headTooLarge),
            urlSession: .endsProcess(noResponse)
        ),
        Fault(
            name: "A body beyond its limit",
            response: .bytes([UInt8](repeating: 0x78, count: 2000)),
            limit: .bodyBytes(1000),
            expected: .failure(.bodyTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "A chunked body beyond its limit",
            response: .bytes([UInt8](repeating: 0x78, count: 2000)).chunked(bytes: 100),
            limit: .bodyBytes(1000),
            expected: .failure(.bodyTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "A body of exactly its limit",
            response: .text("fine"),
            limit: .bodyBytes(4),
            expected: .response(),
            urlSession: .noLimit
        ),
    ]
}
