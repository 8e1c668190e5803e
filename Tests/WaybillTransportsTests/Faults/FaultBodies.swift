import CallSupport
import Waybill
import WaybillTesting

extension Fault {
    /// Bodies that are truncated, malformed, or followed by other bytes.
    static let bodies: [Fault] = [
        Fault(
            name: "A body shorter than its `Content-Length`",
            response: .text("fine").truncated(afterBytes: 2),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "A body truncated inside a chunk",
            response: .text("fine").chunked(bytes: 4).truncated(afterBytes: 2),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "A body truncated between two chunks",
            response: .text("fine").chunked(bytes: 2).truncated(afterBytes: 2),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "A body without its last chunk",
            response: .text("fine").chunked(bytes: 2).truncated(afterBytes: 4),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "A chunk size that is not a number",
            response: .raw("\(chunked)4\r\nfine\r\nzz\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A chunk longer than its size",
            response: .raw("\(chunked)2\r\nfine\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A chunk size of `0x2`",
            response: .raw("\(chunked)0x2\r\nhi\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse),
            urlSession: .known(
                .failure(.connectionLost),
                why: "libcurl reads it as 0 and the rest as trailer fields, which URLSession rejects"
            )
        ),
        Fault(
            name: "Chunk lines that end in a bare LF",
            response: .raw("\(chunked)4\nfine\n0\n\n"),
            expected: .failure(.invalidResponse),
            urlSession: .known(.response(), why: "libcurl accepts them")
        ),
        Fault(
            name: "A status line among the trailer fields",
            response: .raw("\(chunked)4\r\nfine\r\n0\r\nHTTP/1.1 200 OK\r\nX-Sum: 1\r\n\r\n"),
            expected: .failure(.invalidResponse),
            urlSession: .known(.failure(.connectionLost), why: "it rejects trailer fields")
        ),
        Fault(
            name: "Another response after the last chunk",
            response: .raw(
                "\(chunked)4\r\nfine\r\n0\r\n\r\nHTTP/1.1 500 Poison\r\nContent-Length: 0\r\n\r\n",
                closing: false
            ),
            expected: .response()
        ),
        Fault(
            name: "Chunks with a contradictory `Content-Length`",
            response: .raw(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
                closing: false
            ),
            expected: .response()
        ),
        Fault(
            name: "An unknown transfer coding",
            response: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: other\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A transfer coding before `chunked`",
            response: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Transfer-Encoding : chunked`, with a space before the colon",
            response: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A folded `Transfer-Encoding`",
            response: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse),
            urlSession: .known(
                .response(Reply(body: "4\r\nfine\r\n0\r\n\r\n")),
                why: "libcurl ignores it, and passes on the chunks as the body"
            )
        ),
        Fault(
            name: "A chunk with an extension",
            response: .raw("\(chunked)4;name=value\r\nfine\r\n0\r\n\r\n", closing: false),
            expected: .response()
        ),
        Fault(
            name: "Trailer fields after the last chunk",
            response: .raw("\(chunked)4\r\nfine\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n", closing: false),
            expected: .response(Reply(trailerFields: ["X-Sum: 1", "X-Sum: 2"])),
            urlSession: .endsProcess(noResponse)
        ),
        Fault(
            name: "A body longer than its `Content-Length`",
            response: .raw(
                "HTTP/1.1 200 OK\r\n\(length)fineHTTP/1.1 500 Poison\r\nContent-Length: 0\r\n\r\n",
                closing: false
            ),
            expected: .response()
        ),
        Fault(
            name: "Bytes after a body of 0 bytes",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 500 Poison\r\n\r\n", closing: false),
            expected: .response(Reply(body: ""))
        ),
    ]

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
}
