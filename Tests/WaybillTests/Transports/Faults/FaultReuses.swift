import Waybill
import WaybillTesting

extension Fault {
    /// Connections that were kept, and are closed when they are used again.
    static let reuses: [Fault] = [
        Fault(
            name: "A kept connection that was closed before a `GET`",
            answer: .text("fine").closing(announced: false),
            warmUps: 1,
            waitsForClose: true,
            expected: .answer(),
            receipts: 1
        ),
        Fault(
            name: "A kept connection that was closed before a `POST`",
            answer: .answer { .text($0.text).closing(announced: false) },
            method: .post,
            body: "fine",
            warmUps: 1,
            waitsForClose: true,
            expected: .answer(),
            receipts: 1
        ),
        Fault(
            name: "A kept connection that is closed when it has taken a `GET`: it is sent again",
            answer: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            warmUps: 1,
            expected: .answer(),
            receipts: 2
        ),
        Fault(
            name: "A kept connection that is closed when it has taken a `PUT`: it is sent again",
            answer: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            method: .put,
            body: "fine",
            warmUps: 1,
            expected: .answer(),
            receipts: 2,
            urlSession: .known(
                .failure(.connectionLost),
                receipts: 1,
                why: withoutBody
            )
        ),
        Fault(
            name: "A kept connection that is closed when it has taken a `PUT` of 200 kB: it is sent again",
            answer: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            method: .put,
            body: String(repeating: "x", count: 200_000),
            warmUps: 1,
            expected: .answer(),
            receipts: 2,
            urlSession: .known(.failure(.connectionLost), receipts: 1, why: withoutBody)
        ),
        Fault(
            name: "A kept connection that is closed when it has taken a `POST`: it is not sent again",
            answer: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            method: .post,
            body: "fine",
            warmUps: 1,
            expected: .failure(.connectionLost),
            receipts: 1
        ),
        Fault(
            name: "A kept connection that is closed when it has taken a `POST` without a body: it is not sent again",
            answer: .sequence([.text("fine"), .text("lost").closed(.beforeHead), .text("fine")]),
            method: .post,
            warmUps: 1,
            expected: .failure(.connectionLost),
            receipts: 1,
            urlSession: .known(.answer(), receipts: 2, why: "sent again, since libcurl asks for no method")
        ),
        Fault(
            name: "A kept connection that is reset when it has taken a `POST`: it is not sent again",
            answer: .sequence([.text("fine"), .reset(.beforeHead), .text("fine")]),
            method: .post,
            body: "fine",
            warmUps: 1,
            expected: .failure(.connectionLost),
            receipts: 1
        ),
    ]

    private static let withoutBody = "libcurl would send it without its body, so the transport stops it"
}
