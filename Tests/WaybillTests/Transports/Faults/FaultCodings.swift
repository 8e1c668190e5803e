import Foundation
import Waybill
import WaybillTesting

extension Fault {
    /// Bodies in gzip that are damaged, or too large.
    static let codings: [Fault] = [
        Fault(
            name: "`HEAD` of a body in gzip",
            answer: zipped(gzip),
            method: .head,
            expected: .answer(Reply(body: "", holds: ["Content-Encoding: gzip", "Content-Length: 24"]))
        ),
        Fault(
            name: "304 that names a content coding",
            answer: .answer { _ in .status(304).header("Content-Encoding", "gzip") },
            expected: .answer(Reply(status: 304, body: "", holds: ["Content-Encoding: gzip"]))
        ),
        Fault(
            name: "A body in gzip",
            answer: zipped(gzip),
            expected: .answer(Reply(fields: ["Content-Type: application/octet-stream"]))
        ),
        Fault(
            name: "Truncated in gzip",
            answer: zipped(gzip.dropLast(10)),
            expected: .failure(.connectionLost),
            urlSession: .known(.answer(Reply(body: "fin")), why: "it takes what there is for the whole")
        ),
        Fault(
            name: "Truncated in gzip, in chunks that come slowly",
            answer: zipped(gzip.dropLast(10)).chunked(size: 1).dripped(bytes: 6, every: .milliseconds(1)),
            expected: .failure(.connectionLost),
            urlSession: .known(.answer(Reply(body: "fin")), why: "it takes what there is for the whole")
        ),
        Fault(
            name: "Truncated by `Content-Length`, in gzip",
            answer: zipped(gzip).truncated(after: 14),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "Another sum than that of the bytes in gzip",
            answer: zipped(gzip.dropLast(8) + [1] + gzip.suffix(7)),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "No gzip where it is announced",
            answer: zipped(Data("fine".utf8)),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "Bytes behind gzip",
            answer: zipped(gzip + Data("more".utf8)),
            expected: .failure(.invalidResponse),
            urlSession: .known(.failure(.connectionLost), why: "libcurl tells it as bytes that it could not hand on")
        ),
        Fault(
            name: "A content coding that is not known",
            answer: .text("fine").header("Content-Encoding", "other"),
            expected: .answer(Reply(holds: ["Content-Encoding: other"])),
            urlSession: .known(.failure(.invalidResponse), why: "libcurl undoes codings for it, and takes no other")
        ),
        Fault(
            name: "A gzip bomb",
            answer: zipped(bomb),
            limit: .decodedBytes(1000),
            expected: .failure(.bodyTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "A gzip bomb in chunks that come slowly",
            answer: zipped(bomb).chunked(size: 20).dripped(bytes: 30, every: .milliseconds(1)),
            limit: .decodedBytes(1000),
            expected: .failure(.bodyTooLarge),
            urlSession: .noLimit
        ),
    ]

    private static func zipped(_ bytes: Data) -> Responder {
        .bytes(bytes).header("Content-Encoding", "gzip")
    }

    /// `fine`.
    private static let gzip = data("H4sIAAAAAAACA0vLzEsFAJJUqb4EAAAA")

    /// 64 KiB of zeros.
    private static let bomb = data(
        """
        H4sIAAAAAAACA+3BAQEAAACAkP6v7ggKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAauuOl9cAAAEA
        """
    )

    private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}
