import Waybill
import WaybillTesting

extension Fault {
    /// Heads that are not as they should be, or that few clients have seen.
    static let heads: [Fault] = [
        Fault(name: "A status line that is not one of HTTP", answer: .garbage, expected: .failure(.invalidResponse)),
        Fault(
            name: "A status of 000",
            answer: .raw("HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A status of two digits",
            answer: head(status: "HTTP/1.1 20 OK", ["Content-Length: 4"]),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A status of four digits",
            answer: head(status: "HTTP/1.1 2000 OK", ["Content-Length: 4"]),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A status that nobody has registered",
            answer: head(status: "HTTP/1.1 799 Odd", ["Content-Length: 4"]),
            expected: .answer(Reply(status: 799))
        ),
        Fault(
            name: "HTTP/1.0",
            answer: .raw("HTTP/1.0 200 OK\r\nX-One: 1\r\n\r\nfine"),
            expected: .answer(Reply(fields: ["X-One: 1"]))
        ),
        Fault(
            name: "A version of HTTP that nobody asked for",
            answer: head(status: "HTTP/3 200 OK", ["Content-Length: 4"]),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "An empty reason phrase",
            answer: head(status: "HTTP/1.1 200 ", ["Content-Length: 4"]),
            expected: .answer(Reply(fields: ["Content-Length: 4"]))
        ),
        Fault(
            name: "No reason phrase, and no space before it",
            answer: head(status: "HTTP/1.1 200", ["Content-Length: 4"]),
            expected: .answer(Reply(fields: ["Content-Length: 4"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser wants the space")
        ),
        Fault(
            name: "`Name:value` without a space",
            answer: head(["X-Tight:value", "Content-Length:4"]),
            expected: .answer(Reply(holds: ["X-Tight: value"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser wants the space")
        ),
        Fault(
            name: "A space before the colon",
            answer: head(["X-Wide : value", "Content-Length: 4"]),
            expected: .answer(Reply(holds: ["X-Wide: value"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser wants the colon behind the name")
        ),
        Fault(
            name: "NUL in a value",
            answer: head(["X-Nul: a\0b", "Content-Length: 4"]),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "CR alone in a value",
            answer: head(["X-Return: a\rb", "Content-Length: 4"]),
            expected: .answer(Reply(holds: ["X-Return: a b"]))
        ),
        Fault(
            name: "A value without text",
            answer: head(["X-Empty:", "Content-Length: 4"]),
            expected: .answer(Reply(holds: ["X-Empty: "]))
        ),
        Fault(
            name: "Latin-1 in a value",
            answer: .raw(
                Array("HTTP/1.1 200 OK\r\nX-Name: caf".utf8) + [0xE9] + Array("\r\n\(length)fine".utf8),
                closing: false
            ),
            expected: .answer(Reply(holds: ["X-Name: café"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser takes UTF-8 alone")
        ),
        Fault(
            name: "UTF-8 in a value",
            answer: head(["X-Name: café", "Content-Length: 4"]),
            expected: .answer(Reply(holds: ["X-Name: café"]))
        ),
        Fault(
            name: "Lines that end in LF alone",
            answer: .raw("HTTP/1.1 200 OK\nX-One: 1\nContent-Length: 4\n\nfine", closing: false),
            expected: .answer(Reply(holds: ["X-One: 1"])),
            urlSession: .known(.failure(.invalidResponse), why: "its parser wants CR LF")
        ),
        Fault(
            name: "A folded field",
            answer: head(["X-Folded: one", "\t two", "Content-Length: 4"]),
            expected: .answer(Reply(holds: ["X-Folded: one two"]))
        ),
        Fault(
            name: "Duplicates, and fields in any order",
            answer: head(["X-B: 2", "Set-Cookie: a=1", "X-A: 1", "X-B: 3", "Set-Cookie: b=2", "Content-Length: 4"]),
            expected: .answer(
                Reply(fields: ["X-B: 2", "Set-Cookie: a=1", "X-A: 1", "X-B: 3", "Set-Cookie: b=2", "Content-Length: 4"])
            ),
            urlSession: .known(
                .answer(Reply(fields: ["Content-Length: 4", "Set-Cookie: a=1, b=2", "X-A: 1", "X-B: 2, 3"])),
                why: "a dictionary has them, so duplicates are joined, and the order is that of the names"
            )
        ),
        Fault(
            name: "Names in any case",
            answer: head(["x-b: 2", "X-B: 3", "content-LENGTH: 4"]),
            expected: .answer(Reply(fields: ["x-b: 2", "X-B: 3", "content-LENGTH: 4"])),
            urlSession: .known(
                .answer(Reply(fields: ["Content-Length: 4", "X-B: 3", "x-b: 2"])),
                why: "it spells names that it knows in its own way"
            )
        ),
        Fault(
            name: "A name that is known, in two cases",
            answer: head(["Set-Cookie: a=1", "SET-COOKIE: b=2", "Content-Length: 4"]),
            expected: .answer(Reply(fields: ["Set-Cookie: a=1", "SET-COOKIE: b=2", "Content-Length: 4"])),
            urlSession: .known(
                .answer(
                    Reply(
                        fields: ["Content-Length: 4", "Set-Cookie: a=1"],
                        otherFields: ["Content-Length: 4", "Set-Cookie: b=2"]
                    )
                ),
                why: "it spells both the same way, and one of them, by chance, is lost"
            )
        ),
        Fault(
            name: "90 kB in one field",
            answer: head(["X-Long: \(text(90_000))", "Content-Length: 4"]),
            expected: .answer(Reply(holds: ["X-Long: \(text(90_000))"]))
        ),
        Fault(
            name: "200 kB in one field",
            answer: head(["X-Long: \(text(200_000))", "Content-Length: 4"]),
            expected: .failure(.headTooLarge),
            urlSession: .known(.failure(.other), why: "libcurl takes 100 KiB a field, and calls more “out of memory”")
        ),
        Fault(
            name: "300 kB in many fields",
            answer: head((0..<300).map { "X-\($0): \(text(1000))" } + ["Content-Length: 4"]),
            expected: .failure(.headTooLarge),
            urlSession: .known(.answer(), why: "libcurl alone limits them, to 300 KiB")
        ),
        Fault(
            name: "10 MB in many fields",
            answer: head((0..<10_000).map { "X-\($0): \(text(1000))" } + ["Content-Length: 4"]),
            expected: .failure(.headTooLarge)
        ),
        Fault(
            name: "`Content-Length` that is not a number",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: four\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length` with more digits than can be counted",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length` below 0",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length` of two numbers",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4 4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length` that is folded",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length:\r\n 4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length` that is folded inside its number",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n 0\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length : 4`, with a space before the colon",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length : 4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A first field that begins with white space",
            answer: .raw("HTTP/1.1 200 OK\r\n X-A: one\r\nContent-Length: 4\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "A first field that begins with white space, over a kept connection",
            answer: .sequence([
                .text("fine"), .raw("HTTP/1.1 200 OK\r\n X-A: one\r\nContent-Length: 4\r\n\r\nfine"),
            ]),
            warmUps: 1,
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length` twice, contradictory",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nfine"),
            expected: .failure(.invalidResponse)
        ),
        Fault(
            name: "`Content-Length` twice, the same",
            answer: head(["Content-Length: 4", "Content-Length: 4"]),
            expected: .answer()
        ),
    ]

    /// The last field and the end of a head whose body is `fine`.
    static let length = "Content-Length: 4\r\n\r\n"

    /// A head of these lines, and `fine` behind it, over a connection that stays open.
    static func head(status: String = "HTTP/1.1 200 OK", _ lines: [String]) -> Responder {
        .raw(([status] + lines + ["", "fine"]).joined(separator: "\r\n"), closing: false)
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }
}
