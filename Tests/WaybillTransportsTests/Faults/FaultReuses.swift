import CallSupport
import Waybill
import WaybillTesting

extension Fault {
    /// Persistent connections that are closed before or during their next use.
    static let reuses: [Fault] = [
        Fault(
            name: "A persistent connection that was closed before a `GET`",
            response: .text("fine").closing(announced: false),
            warmUps: 1,
            waitsForClose: true,
            expected: .response(),
            receipts: 1
        ),
        Fault(
            name: "A persistent connection that was closed before a `POST`",
            response: .response { .text($0.text).closing(announced: false) },
            method: .post,
            body: "fine",
            warmUps: 1,
            waitsForClose: true,
            expected: .response(),
            receipts: 1
        ),
        Fault(
            name: "A persistent connection that is closed after a `GET`: the request is sent again",
            response: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            warmUps: 1,
            expected: .response(),
            receipts: 2
        ),
        Fault(
            name: "A persistent connection that is closed after a `PUT`: the request is sent again",
            response: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            method: .put,
            body: "fine",
            warmUps: 1,
            expected: .response(),
            receipts: 2,
            urlSession: .known(
                .failure(.connectionLost),
                receipts: 1,
                why: withoutBody
            )
        ),
        Fault(
            name: "A persistent connection that is closed after a `PUT` of 200 kB: the request is sent again",
            response: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            method: .put,
            body: String(repeating: "x", count: 200_000),
            warmUps: 1,
            expected: .response(),
            receipts: 2,
            urlSession: .known(.failure(.connectionLost), receipts: 1, why: withoutBody)
        ),
        Fault(
            name: "A persistent connection that is closed after a `POST`: the request is not sent again",
            response: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            method: .post,
            body: "fine",
            warmUps: 1,
            expected: .failure(.connectionLost),
            receipts: 1
        ),
        Fault(
            name: "A persistent connection that is closed after a `POST` without a body: the request is not sent again",
            response: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            method: .post,
            warmUps: 1,
            expected: .failure(.connectionLost),
            receipts: 1,
            urlSession: .known(.response(), receipts: 2, why: "sent again, because libcurl does not check the method")
        ),
        Fault(
            name: "A persistent connection that is reset after a `POST`: the request is not sent again",
            response: .sequence([.text("fine"), .reset(.beforeHead), .text("fine")]),
            method: .post,
            body: "fine",
            warmUps: 1,
            expected: .failure(.connectionLost),
            receipts: 1
        ),
    ]

    private static let withoutBody = "libcurl would send it without its body, so the transport stops it"
}
