import CallSupport
import Foundation
import Waybill
import WaybillTesting

extension Fault {
    /// Bodies with a content coding: valid, damaged, unknown or too large.
    static let codings: [Fault] = [
        Fault(
            name: "`HEAD` of a gzip body",
            response: zipped(gzip),
            method: .head,
            expected: .response(Reply(body: "", holds: ["Content-Encoding: gzip", "Content-Length: 24"]))
        ),
        Fault(
            name: "304 with a content coding",
            response: .response { _ in .status(304).header("Content-Encoding", "gzip") },
            expected: .response(Reply(status: 304, body: "", holds: ["Content-Encoding: gzip"]))
        ),
        Fault(
            name: "A gzip body",
            response: zipped(gzip),
            expected: .response(Reply(fields: ["Content-Type: application/octet-stream"]))
        ),
        Fault(
            name: "A truncated gzip body",
            response: zipped(gzip.dropLast(10)),
            expected: .failure(.connectionLost),
            urlSession: .known(.response(Reply(body: "fin")), why: "it takes the truncated body for the whole one")
        ),
        Fault(
            name: "A truncated gzip body, in slow chunks",
            response: zipped(gzip.dropLast(10)).chunked(bytes: 1).dripped(bytes: 6, every: .milliseconds(1)),
            expected: .failure(.connectionLost),
            urlSession: .known(.response(Reply(body: "fin")), why: "it takes the truncated body for the whole one")
        ),
        Fault(
            name: "A gzip body shorter than its `Content-Length`",
            response: zipped(gzip).truncated(afterBytes: 14),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "A gzip body with a wrong checksum",
            response: zipped(gzip.dropLast(8) + [1] + gzip.suffix(7)),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A body that is not gzip, with the content coding gzip",
            response: zipped(Data("fine".utf8)),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "Bytes after a gzip body",
            response: zipped(gzip + Data("more".utf8)),
            expected: .failure(.invalidResponse),
            urlSession: .known(.failure(.connectionLost), why: "libcurl reports that it could not deliver the bytes")
        ),
        Fault(
            name: "An unknown content coding",
            response: .text("fine").header("Content-Encoding", "other"),
            expected: .response(Reply(holds: ["Content-Encoding: other"])),
            urlSession: .known(
                .failure(.invalidResponse),
                why: "libcurl decodes for it, and accepts only known codings"
            )
        ),
        Fault(
            name: "A gzip bomb beyond `limits.decodedBodyBytes`",
            response: zipped(bomb),
            limit: .decodedBytes(1000),
            expected: .failure(.bodyTooLarge),
            urlSession: .noLimit
        ),
        Fault(
            name: "A gzip bomb beyond `limits.decodedBodyBytes`, in slow chunks",
            response: zipped(bomb).chunked(bytes: 20).dripped(bytes: 30, every: .milliseconds(1)),
            limit: .decodedBytes(1000),
            expected: .failure(.bodyTooLarge),
            urlSession: .noLimit
        ),
    ]

    private static func zipped(_ bytes: Data) -> Responder {
        .bytes(bytes).header("Content-Encoding", "gzip")
    }

    /// `fine` in gzip.
    private static let gzip = data("H4sIAAAAAAACA0vLzEsFAJJUqb4EAAAA")

    /// 64 KiB of zeros in gzip.
    private static let bomb = data(
        """
        H4sIAAAAAAACA+3BAQEAAACAkP6v7ggKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAauuOl9cAAAEA
        """
    )

    private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}
