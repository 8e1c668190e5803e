import Waybill
import WaybillTesting

extension Fault {
    /// Bodies that end too early, too late, or with something behind them.
    static let bodies: [Fault] = [
        Fault(
            name: "Truncated by `Content-Length`",
            answer: .text("fine").truncated(after: 2),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "Truncated inside a chunk",
            answer: .text("fine").chunked(size: 4).truncated(after: 2),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "Truncated between two chunks",
            answer: .text("fine").chunked(size: 2).truncated(after: 2),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "Without the last chunk",
            answer: .text("fine").chunked(size: 2).truncated(after: 4),
            expected: .failure(.connectionLost)
        ),
        Fault(
            name: "A chunk whose size is no number",
            answer: .raw("\(chunked)4\r\nfine\r\nzz\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A chunk that is longer than it says",
            answer: .raw("\(chunked)2\r\nfine\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A chunk whose size is written `0x2`",
            answer: .raw("\(chunked)0x2\r\nhi\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse),
            urlSession: .known(
                .failure(.connectionLost),
                why: "libcurl reads it as 0, and what follows as trailer fields, which URLSession does not take"
            )
        ),
        Fault(
            name: "A chunk whose lines end in LF alone",
            answer: .raw("\(chunked)4\nfine\n0\n\n"),
            expected: .failure(.invalidResponse),
            urlSession: .known(.answer(), why: "libcurl accepts them")
        ),
        Fault(
            name: "A status line among the trailer fields",
            answer: .raw("\(chunked)4\r\nfine\r\n0\r\nHTTP/1.1 200 OK\r\nX-Sum: 1\r\n\r\n"),
            expected: .failure(.invalidResponse),
            urlSession: .known(.failure(.connectionLost), why: "it does not take trailer fields")
        ),
        Fault(
            name: "Chunks with another response behind them",
            answer: .raw(
                "\(chunked)4\r\nfine\r\n0\r\n\r\nHTTP/1.1 500 Poison\r\nContent-Length: 0\r\n\r\n",
                closing: false
            ),
            expected: .answer()
        ),
        Fault(
            name: "Chunks, and a `Content-Length` that contradicts them",
            answer: .raw(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
                closing: false
            ),
            expected: .answer()
        ),
        Fault(
            name: "A transfer coding that is not known",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: other\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A transfer coding below the chunks",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Transfer-Encoding : chunked`, with a space before the colon",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A `Transfer-Encoding` that is folded",
            answer: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n"),
            expected: .failure(.invalidResponse),
            urlSession: .known(
                .answer(Reply(body: "4\r\nfine\r\n0\r\n\r\n")),
                why: "libcurl does not see it, and hands the chunks on as the body"
            )
        ),
        Fault(
            name: "A chunk with an extension",
            answer: .raw("\(chunked)4;name=value\r\nfine\r\n0\r\n\r\n", closing: false),
            expected: .answer()
        ),
        Fault(
            name: "Trailer fields behind the chunks",
            answer: .raw("\(chunked)4\r\nfine\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n", closing: false),
            expected: .answer(Reply(trailerFields: ["X-Sum: 1", "X-Sum: 2"])),
            urlSession: .endsProcess(noResponse)
        ),
        Fault(
            name: "More bytes than `Content-Length` says",
            answer: .raw(
                "HTTP/1.1 200 OK\r\n\(length)fineHTTP/1.1 500 Poison\r\nContent-Length: 0\r\n\r\n",
                closing: false
            ),
            expected: .answer()
        ),
        Fault(
            name: "A body of 0 bytes with bytes behind it",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 500 Poison\r\n\r\n", closing: false),
            expected: .answer(Reply(body: ""))
        ),
    ]

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
}
