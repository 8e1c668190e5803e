import CallSupport
import TestSupport
import Waybill
import WaybillTesting

extension Fault {
    /// Heads that are malformed or unusual.
    static let heads: [Fault] = [
        Fault(name: "A status line that is not HTTP", response: .garbage, expected: .failure(.invalidResponse)),
        Fault(
            name: "A status of 000",
            response: .raw("HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A status of two digits",
            response: head(status: "HTTP/1.1 20 OK", ["Content-Length: 4"]),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A status of four digits",
            response: head(status: "HTTP/1.1 2000 OK", ["Content-Length: 4"]),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "An unregistered status",
            response: head(status: "HTTP/1.1 799 Odd", ["Content-Length: 4"]),
            expected: .response(Reply(status: 799))
        ),
        Fault(
            name: "HTTP/1.0",
            response: .raw("HTTP/1.0 200 OK\r\nX-One: 1\r\n\r\nfine"),
            expected: .response(Reply(fields: ["X-One: 1"]))
        ),
        Fault(
            name: "An unexpected version of HTTP",
            response: head(status: "HTTP/3 200 OK", ["Content-Length: 4"]),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "An empty reason phrase",
            response: head(status: "HTTP/1.1 200 ", ["Content-Length: 4"]),
            expected: .response(Reply(fields: ["Content-Length: 4"]))
        ),
        Fault(
            name: "No reason phrase, and no space before it",
            response: head(status: "HTTP/1.1 200", ["Content-Length: 4"]),
            expected: .response(Reply(fields: ["Content-Length: 4"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser requires the space")
        ),
        Fault(
            name: "`Name:value` without a space",
            response: head(["X-Tight:value", "Content-Length:4"]),
            expected: .response(Reply(holds: ["X-Tight: value"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser requires the space")
        ),
        Fault(
            name: "A space before the colon",
            response: head(["X-Wide : value", "Content-Length: 4"]),
            expected: .response(Reply(holds: ["X-Wide: value"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser requires the colon after the name")
        ),
        Fault(
            name: "NUL in a value",
            response: head(["X-Nul: a\0b", "Content-Length: 4"]),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A bare CR in a value",
            response: head(["X-Return: a\rb", "Content-Length: 4"]),
            expected: .response(Reply(holds: ["X-Return: a b"]))
        ),
        Fault(
            name: "An empty value",
            response: head(["X-Empty:", "Content-Length: 4"]),
            expected: .response(Reply(holds: ["X-Empty: "]))
        ),
        Fault(
            name: "Latin-1 in a value",
            response: .raw(
                Array("HTTP/1.1 200 OK\r\nX-Name: caf".utf8) + [0xE9] + Array("\r\n\(length)fine".utf8),
                closing: false
            ),
            expected: .response(Reply(holds: ["X-Name: caf\u{10FEE9}"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser accepts only UTF-8")
        ),
        Fault(
            name: "UTF-8 in a value",
            response: head(["X-Name: café", "Content-Length: 4"]),
            expected: .response(Reply(holds: ["X-Name: café"]))
        ),
        Fault(
            name: "Lines that end in a bare LF",
            response: .raw("HTTP/1.1 200 OK\nX-One: 1\nContent-Length: 4\n\nfine", closing: false),
            expected: .response(Reply(holds: ["X-One: 1"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser requires CR LF")
        ),
        Fault(
            name: "A folded field line",
            response: head(["X-Folded: one", "\t two", "Content-Length: 4"]),
            expected: .response(Reply(holds: ["X-Folded: one two"]))
        ),
        Fault(
            name: "Duplicate fields, in any order",
            response: head(["X-B: 2", "Set-Cookie: a=1", "X-A: 1", "X-B: 3", "Set-Cookie: b=2", "Content-Length: 4"]),
            expected: .response(
                Reply(fields: ["X-B: 2", "Set-Cookie: a=1", "X-A: 1", "X-B: 3", "Set-Cookie: b=2", "Content-Length: 4"])
            ),
            urlSession: .known(
                .response(
                    Reply(fields: ["Content-Length: 4", "Set-Cookie: a=1", "Set-Cookie: b=2", "X-A: 1", "X-B: 2, 3"])
                ),
                why: "it keeps fields in a dictionary: duplicates are joined, and fields are sorted by name"
            )
        ),
        Fault(
            name: "Field names in any case",
            response: head(["x-b: 2", "X-B: 3", "content-LENGTH: 4"]),
            expected: .response(Reply(fields: ["x-b: 2", "X-B: 3", "content-LENGTH: 4"])),
            urlSession: .known(
                .response(Reply(fields: ["Content-Length: 4", "X-B: 3", "x-b: 2"])),
                why: "it changes the case of names that it knows"
            )
        ),
        Fault(
            name: "A well-known field name in two cases",
            response: head(["Set-Cookie: a=1", "SET-COOKIE: b=2", "Content-Length: 4"]),
            expected: .response(Reply(fields: ["Set-Cookie: a=1", "SET-COOKIE: b=2", "Content-Length: 4"])),
            urlSession: .known(
                .response(
                    Reply(
                        fields: ["Content-Length: 4", "Set-Cookie: a=1"],
                        otherFields: ["Content-Length: 4", "Set-Cookie: b=2"]
                    )
                ),
                why: "it gives both the same case, and loses one of them at random"
            )
        ),
        Fault(
            name: "90 kB in one field",
            response: head(["X-Long: \(text(90_000))", "Content-Length: 4"]),
            expected: .response(Reply(holds: ["X-Long: \(text(90_000))"]))
        ),
        Fault(
            name: "200 kB in one field",
            response: head(["X-Long: \(text(200_000))", "Content-Length: 4"]),
            expected: .failure(.headTooLarge),
            urlSession: .known(
                .failure(.other),
                why: "libcurl accepts 100 KiB a field, and reports more as “out of memory”"
            )
        ),
        Fault(
            name: "300 kB in many fields",
            response: head((0..<300).map { "X-\($0): \(text(1000))" } + ["Content-Length: 4"]),
            expected: .failure(.headTooLarge),
            urlSession: .known(.response(), why: "only libcurl limits them, to 300 KiB")
        ),
        Fault(
            name: "10 MB in many fields",
            response: head((0..<10_000).map { "X-\($0): \(text(1000))" } + ["Content-Length: 4"]),
            expected: .failure(.headTooLarge)
        ),
        Fault(
            name: "A `Content-Length` that is not a number",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: four\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A `Content-Length` that overflows",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A negative `Content-Length`",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A `Content-Length` of two numbers",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4 4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A folded `Content-Length`",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length:\r\n 4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A `Content-Length` that is folded inside its number",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n 0\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length : 4`, with a space before the colon",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length : 4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "White space before the first field",
            response: .raw("HTTP/1.1 200 OK\r\n X-A: one\r\nContent-Length: 4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "White space before the first field, over a persistent connection",
            response: .sequence([
                .text("fine"), .raw("HTTP/1.1 200 OK\r\n X-A: one\r\nContent-Length: 4\r\n\r\nfine"),
            ]),
            warmUps: 1,
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "Two different `Content-Length` fields",
            response: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "Two equal `Content-Length` fields",
            response: head(["Content-Length: 4", "Content-Length: 4"]),
            expected: .response()
        ),
    ]

    /// The last field and the end of a head for the body `fine`.
    static let length = "Content-Length: 4\r\n\r\n"

    /// Returns a response with these head lines and the body `fine`, over a connection that stays open.
    static func head(status: String = "HTTP/1.1 200 OK", _ lines: [String]) -> Responder {
        .raw(([status] + lines + ["", "fine"]).joined(separator: "\r\n"), closing: false)
    }

    private static func text(_ count: Int) -> String {
        String(decoding: [UInt8](repeating: UInt8(ascii: "x"), count: count), as: UTF8.self)
    }
}
