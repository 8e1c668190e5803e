import CallSupport
import Waybill
import WaybillFiles
import WaybillTesting

extension Fault {
    /// Statuses and methods with special rules.
    static let statuses: [Fault] =
        [
            Fault(
                name: "100 before the response",
                response: .raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\(length)fine", closing: false),
                expected: .response(Reply(fields: ["Content-Length: 4"]))
            ),
            Fault(
                name: "103 with fields before the response",
                response: .raw(
                    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\(length)fine",
                    closing: false
                ),
                expected: .response(Reply(fields: ["Content-Length: 4"]))
            ),
            Fault(
                name: "An unexpected 101",
                response: .raw("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n"),
                expected: .failure(.invalidResponse)
            ),
            Fault(
                name: "204 with a body",
                response: head(status: "HTTP/1.1 204 No Content", ["Content-Length: 4"]),
                expected: .response(Reply(status: 204, body: ""))
            ),
            Fault(
                name: "304 with a body",
                response: head(status: "HTTP/1.1 304 Not Modified", ["Content-Length: 4"]),
                expected: .response(Reply(status: 304, body: ""))
            ),
            Fault(
                name: "`HEAD` with a length",
                response: .text("fine"),
                method: .head,
                expected: .response(Reply(body: "", holds: ["Content-Length: 4"]))
            ),
            Fault(
                name: "`HEAD` with a body",
                response: head(["Content-Length: 4"]),
                method: .head,
                expected: .response(Reply(body: ""))
            ),
            Fault(
                name: "A body on `GET`",
                response: .response { .text($0.text) },
                body: "fine",
                expected: .response(),
                receipts: 1,
                urlSession: .known(.failure(.unsupportedRequest), receipts: 0, why: "it cannot send one")
            ),
        ]
        + ["Basic realm=\"shop\"", "Digest realm=\"shop\", nonce=\"1\", algorithm=MD5", "Negotiate"].map { challenge in
            Fault(
                name: "401 with a `\(challenge.prefix { $0 != " " })` challenge",
                response: .text("fine", status: 401).header("WWW-Authenticate", challenge),
                expected: .response(Reply(status: 401, holds: ["WWW-Authenticate: \(challenge)"])),
                receipts: 1
            )
        }
}
