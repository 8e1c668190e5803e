import CallSupport
import Waybill
import WaybillTesting

extension Fault {
    /// Redirects, which Waybill follows or rejects above the transport.
    static let redirects: [Fault] = [
        Fault(
            // On a busy machine, URLSession sometimes sends the request twice, so the requests are not counted.
            name: "A redirect, without following it: it is the response",
            response: .text("fine", status: 302).header("Location", "/next"),
            expected: .response(Reply(status: 302, holds: ["Location: /next"]))
        ),
        Fault(
            name: "A redirect without a `Location`, without following it",
            response: .text("fine", status: 302),
            expected: .response(Reply(status: 302)),
            receipts: 1,
            urlSession: .known(.response(Reply(status: 302, body: "")), why: "it drops the body of a redirect")
        ),
        Fault(
            name: "A redirect to the same URL",
            response: .redirect(to: "/it"),
            followsRedirects: true,
            expected: .failure(.redirectLoop),
            receipts: 1
        ),
        Fault(
            name: "A redirect back to an earlier URL",
            response: .response { .redirect(to: $0.query == "2" ? "/it?1" : "/it?2") },
            followsRedirects: true,
            expected: .failure(.redirectLoop),
            receipts: 3
        ),
        Fault(
            name: "Endless redirects",
            response: .response { .redirect(to: "/it?\((Int($0.query ?? "") ?? 0) + 1)") },
            followsRedirects: true,
            expected: .failure(.tooManyRedirects),
            receipts: 11
        ),
        Fault(
            name: "A redirect to another origin: no credential is sent",
            response: .response { request in
                // A request that still has the credential is redirected to the same URL again.
                request.headerFields.contains(.authorization)
                    ? .redirect(to: "http://localhost:\(request.url.port ?? 0)/it") : .text("fine")
            },
            followsRedirects: true,
            expected: .response(),
            receipts: 2
        ),
        Fault(
            name: "A redirect to `file:`",
            response: .redirect(to: "file:///etc/hostname"),
            followsRedirects: true,
            expected: .failure(.redirectRejected),
            receipts: 1
        ),
        Fault(
            name: "A redirect of a `POST` with 307: the body is sent again",
            response: .response { $0.query == "2" ? .text($0.text) : .redirect(to: "/it?2", status: 307) },
            method: .post,
            body: "fine",
            followsRedirects: true,
            expected: .response(),
            receipts: 2
        ),
        Fault(
            name: "A redirect with a truncated body",
            response: .response {
                $0.query == "2"
                    ? .text("fine")
                    : .text("a body that is cut", status: 302).header("Location", "/it?2").truncated(afterBytes: 2)
            },
            followsRedirects: true,
            expected: .response(),
            receipts: 2,
            urlSession: .known(
                .failure(.connectionLost),
                receipts: 1,
                why: "a redirect arrives only after its whole body"
            )
        ),
    ]
}
