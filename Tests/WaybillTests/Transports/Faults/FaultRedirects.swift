import Waybill
import WaybillTesting

extension Fault {
    /// Redirects, which Waybill follows above every transport, or refuses to.
    static let redirects: [Fault] = [
        Fault(
            // On a busy machine URLSession has been seen to ask twice, so the requests are not counted.
            name: "A redirect, to the transport alone: it is an answer",
            answer: .text("fine", status: 302).header("Location", "/next"),
            expected: .answer(Reply(status: 302, holds: ["Location: /next"]))
        ),
        Fault(
            name: "A redirect without a `Location`, to the transport alone",
            answer: .text("fine", status: 302),
            expected: .answer(Reply(status: 302)),
            receipts: 1,
            urlSession: .known(.answer(Reply(status: 302, body: "")), why: "it drops the body of a redirect")
        ),
        Fault(
            name: "A redirect to where the request was",
            answer: .redirect(to: "/it"),
            followsRedirects: true,
            expected: .failure(.redirectLoop),
            receipts: 1
        ),
        Fault(
            name: "A redirect to where a redirect came from",
            answer: .answer { .redirect(to: $0.query == "2" ? "/it?1" : "/it?2") },
            followsRedirects: true,
            expected: .failure(.redirectLoop),
            receipts: 3
        ),
        Fault(
            name: "Redirects without an end",
            answer: .answer { .redirect(to: "/it?\((Int($0.query ?? "") ?? 0) + 1)") },
            followsRedirects: true,
            expected: .failure(.tooManyRedirects),
            receipts: 11
        ),
        Fault(
            name: "A redirect to another origin: it gets no credential",
            answer: .answer { request in
                // One that got it would be told to go where it is.
                request.headerFields.contains(.authorization)
                    ? .redirect(to: "http://localhost:\(request.url.port ?? 0)/it") : .text("fine")
            },
            followsRedirects: true,
            expected: .answer(),
            receipts: 2
        ),
        Fault(
            name: "A redirect to `file:`",
            answer: .redirect(to: "file:///etc/hostname"),
            followsRedirects: true,
            expected: .failure(.redirectRefused),
            receipts: 1
        ),
        Fault(
            name: "A redirect of a `POST` with 307: the body goes along",
            answer: .answer { $0.query == "2" ? .text($0.text) : .redirect(to: "/it?2", status: 307) },
            method: .post,
            body: "fine",
            followsRedirects: true,
            expected: .answer(),
            receipts: 2
        ),
        Fault(
            name: "A redirect whose own body ends too early",
            answer: .answer {
                $0.query == "2"
                    ? .text("fine")
                    : .text("a body that is cut", status: 302).header("Location", "/it?2").truncated(after: 2)
            },
            followsRedirects: true,
            expected: .answer(),
            receipts: 2,
            urlSession: .known(
                .failure(.connectionLost),
                receipts: 1,
                why: "a redirect arrives only when all of its body has"
            )
        ),
    ]
}
