import Waybill
import WaybillTesting

extension Fault {
    /// Statuses and methods with rules of their own.
    static let statuses: [Fault] =
        [
            Fault(
                name: "100 before the response",
                answer: .raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\(length)fine", closing: false),
                expected: .answer(Reply(fields: ["Content-Length: 4"]))
            ),
            Fault(
                name: "103 with fields before the response",
                answer: .raw(
                    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\(length)fine",
                    closing: false
                ),
                expected: .answer(Reply(fields: ["Content-Length: 4"]))
            ),
            Fault(
                name: "101 that nobody asked for",
                answer: .raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n"),
                expected: .failure(.invalidResponse)
            ),
            Fault(
                name: "204 with a body",
                answer: head(status: "HTTP/1.1 204 No Content", ["Content-Length: 4"]),
                expected: .answer(Reply(status: 204, body: ""))
            ),
            Fault(
                name: "304 with a body",
                answer: head(status: "HTTP/1.1 304 Not Modified", ["Content-Length: 4"]),
                expected: .answer(Reply(status: 304, body: ""))
            ),
            Fault(
                name: "`HEAD` with a length",
                answer: .text("fine"),
                method: .head,
                expected: .answer(Reply(body: "", holds: ["Content-Length: 4"]))
            ),
            Fault(
                name: "`HEAD` with a body",
                answer: head(["Content-Length: 4"]),
                method: .head,
                expected: .answer(Reply(body: ""))
            ),
            Fault(
                name: "A body on `GET`",
                answer: .answer { .text($0.text) },
                body: "fine",
                expected: .answer(),
                receipts: 1,
                urlSession: .known(.failure(.unsupportedRequest), receipts: 0, why: "it cannot send one")
            ),
        ]
        + ["Basic realm=\"shop\"", "Digest realm=\"shop\", nonce=\"1\", algorithm=MD5", "Negotiate"].map { challenge in
            Fault(
                name: "401 with a challenge of `\(challenge.prefix { $0 != " " })`",
                answer: .text("fine", status: 401).header("WWW-Authenticate", challenge),
                expected: .answer(Reply(status: 401, holds: ["WWW-Authenticate: \(challenge)"])),
                receipts: 1
            )
        }
}
