import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Stub transports", .inTurn, .safetyNet)
struct StubTransportTests {
    static func request(
        _ method: HTTPRequest.Method = .get,
        _ path: String = "products/1",
        body: String? = nil
    ) throws -> HTTPRequest {
        HTTPRequest(
            method: method,
            url: try #require(URL(string: "https://h/" + path)),
            headerFields: [HTTPField(name: .accept, value: "a")],
            body: body.map { HTTPBody(Data($0.utf8)) }
        )
    }

    @Test("A stub transport responds from its table and records requests")
    func respondsAndRecords() async throws {
        let stub = StubTransport(["PUT products/{}": .json("{}", status: 201)])
        let response = try await stub.send(
            Self.request(.put, "v1/products/1?a=b", body: "new"),
            options: TransferOptions(template: "products/{}")
        )
        #expect(response.status == 201)
        #expect(response.headerFields[.contentType] == "application/json")
        #expect(try await response.body.collect() == Data("{}".utf8))

        let recorded = try #require(stub.requests.first)
        #expect(stub.requests.count == 1)
        #expect(recorded.method == .put)
        #expect(recorded.url.absoluteString == "https://h/v1/products/1?a=b")
        #expect(recorded.template == "products/{}")
        #expect(recorded.path == "/v1/products/1")
        #expect(recorded.pathValues == ["1"])
        #expect(recorded.query("a") == "b")
        #expect(recorded.headerFields.map(\.description) == ["Accept: a"])
        #expect(recorded.text == "new")
        #expect(recorded.wire == nil)
    }

    @Test(
        "A stub transport looks up the key by the URL, like a server",
        arguments: [
            ("products/7", "products/{}", "any"),
            ("products/search", "products/{}", "search"),
            ("products/search", "products/search", "search"),
            ("v1/api/products/search", "products/{}", "search"),
            ("products/a%2Fb", "products/{}", "any"),
            ("products/a%2Fb", nil, "any"),
            ("lists/", "lists/", "slash"),
            ("lists", "lists", "none"),
            ("lists/", nil, "slash"),
            ("entirely/different", "products/{}", "any"),
            ("", "", "root"),
            ("v1/", "", "root"),
        ] as [(String, String?, String)]
    )
    func looksUp(_ path: String, template: String?, text: String) async throws {
        let stub = StubTransport([
            "GET products/{}": .text("any"), "GET products/search": .text("search"), "GET lists/": .text("slash"),
            "GET lists": .text("none"), "GET /": .text("root"),
        ])
        let response = try await stub.send(Self.request(.get, path), options: TransferOptions(template: template))
        #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == text)
    }

    @Test("A stub transport responds with a closure and throws its error")
    func respondsByClosure() async throws {
        let stub = StubTransport { request in
            if request.method == .delete { throw TransportError(.timedOut) }
            return .text(request.template)
        }
        let options = TransferOptions(template: "products/{}")
        let whole = try await stub.send(Self.request(), options: options).body.collect()
        #expect(whole == Data("products/{}".utf8))
        let request = try Self.request(.delete)
        let error = try await #require(throws: TransportError.self) { try await stub.send(request) }
        #expect(error.kind == .timedOut)
        #expect(stub.requests.count == 2)
    }

    @Test("A stub transport lists its keys in the 501 for an unknown request")
    func tellsKeys() async throws {
        let response = try await StubTransport(["GET products": .status(200)]).send(Self.request())
        #expect(response.status == 501)
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        #expect(text.contains("No response for GET products/1."))
        #expect(text.contains("  GET products\n"))
    }

    @Test("A stub transport with a malformed key responds with 501 and the key")
    func tellsMalformed() async throws {
        let response = try await StubTransport(["GET products/{}": .status(200), "oops": .status(200)])
            .send(Self.request())
        #expect(response.status == 501)
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        #expect(text.hasPrefix("\"oops\" is not a valid key"))
    }

    @Test(
        "A stub transport omits the body where HTTP has none",
        arguments: [(.head, 200), (.get, 204), (.get, 304)] as [(HTTPRequest.Method, Int)]
    )
    func leavesBodyOut(_ method: HTTPRequest.Method, status: Int) async throws {
        let stub = StubTransport(["GET products/{}": .text("body", status: .init(code: status))])
        #expect(try await stub.send(Self.request(method)).body.collect().isEmpty)
    }

    @Test(
        "A stub transport throws the error of a response without a usable head",
        arguments: [
            (.reset(.beforeHead), .connectionLost), (.reset(.insideHead), .connectionLost),
            (.status(200).closed(.insideHead), .connectionLost), (.garbage, .invalidResponse),
            (.raw("HTTP/1.1 200 OK\r\n\r\n"), .invalidResponse), (.failure(TransportError(.timedOut)), .timedOut),
        ] as [(StubResponse, TransportError.Kind)]
    )
    func throwsBeforeHead(_ stubbed: StubResponse, kind: TransportError.Kind) async throws {
        let stub = StubTransport { _ in stubbed }
        let request = try Self.request()
        let error = try await #require(throws: TransportError.self) { try await stub.send(request) }
        #expect(error.kind == kind)
    }

    @Test(
        "A stub transport cuts off a body at the declared point",
        arguments: [
            (StubResponse.text("abcd").truncated(afterBytes: 3), "abc"),
            (StubResponse.text("abcd").truncated(afterBytes: 9), "abcd"),
            (StubResponse.text("abcd").reset(.insideBody), "ab"), (StubResponse.text("abcd").reset(.afterHead), ""),
            (StubResponse.text("abcd").dripped(bytes: 1, every: .zero).truncated(afterBytes: 3), "abc"),
        ]
    )
    func breaksOff(_ stubbed: StubResponse, text: String) async throws {
        let response = try await StubTransport { _ in stubbed }.send(Self.request())
        #expect(response.status == 200)
        var received = Data()
        do {
            for try await chunk in response.body { received += chunk }
            Issue.record("the body did not break off")
        } catch {
            #expect(TransportError(wrapping: error).kind == .connectionLost)
        }
        #expect(String(decoding: received, as: UTF8.self) == text)
    }

    @Test("A stub transport delivers a body in the declared pieces")
    func deliversPieces() async throws {
        let stub = StubTransport(["GET products/{}": .sequence([.text("abcde").chunked(bytes: 2), .text("abc")])])
        let chunked = try await stub.send(Self.request()).body
        #expect(chunked.length == nil)
        var pieces: [Data] = []
        for try await piece in chunked { pieces.append(piece) }
        #expect(pieces == [Data("ab".utf8), Data("cd".utf8), Data("e".utf8)])
        #expect(try await stub.send(Self.request()).body.length == 3)
    }

    @Test("A stub transport waits on its clock before the head, before the body and between pieces")
    func waitsByClock() async throws {
        let clock = ManualClock()
        let stub = StubTransport(
            [
                "GET products/{}": .text("abc").delayed(.seconds(1)).bodyDelayed(.seconds(2))
                    .dripped(bytes: 2, every: .seconds(4))
            ],
            clock: clock
        )
        let request = try Self.request()
        async let data = stub.send(request).body.collect()
        #expect(await clock.advanceToNextDeadline() == .seconds(1))
        #expect(await clock.advanceToNextDeadline() == .seconds(2))
        #expect(await clock.advanceToNextDeadline() == .seconds(4))
        #expect(try await data == Data("abc".utf8))
    }

    @Test("A stub transport holds a response until its gate opens")
    func holdsBack() async throws {
        let (headGate, bodyGate) = (Gate(), Gate())
        let stub = StubTransport(["GET products/{}": .text("abc").held(by: headGate).bodyHeld(by: bodyGate)])
        let request = try Self.request()
        let task = Task { try await stub.send(request) }
        #expect(await stub.waitForRequests(count: 1).count == 1)
        headGate.open()
        let response = try await task.value
        async let body = response.body.collect()
        bodyGate.open()
        #expect(try await body == Data("abc".utf8))
    }

    @Test(
        "A stub transport throws a cancellation error in any phase",
        arguments: [
            StubResponse.never, .text("a").bodyNever(), .text("a").held(by: Gate()), .text("a").delayed(.seconds(3600)),
            .text("ab").dripped(bytes: 1, every: .seconds(3600)),
        ]
    )
    func cancels(_ stubbed: StubResponse) async throws {
        let stub = StubTransport(["GET products/{}": .response(stubbed)])
        let request = try Self.request()
        let task = Task { try await stub.send(request).body.collect() }
        await stub.waitForRequests(count: 1)
        task.cancel()
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.kind == .cancelled)
    }

    @Test("A stub transport records nothing for an already cancelled task")
    func sendsNothing() async throws {
        let stub = StubTransport(["GET products/{}": .status(200)])
        let request = try Self.request()
        let gate = Gate()
        let task = Task {
            await gate.waitUntilOpen()
            return try await stub.send(request)
        }
        task.cancel()
        let error = try await #require(throws: TransportError.self) { try await task.value }
        #expect(error.kind == .cancelled)
        #expect(stub.requests.isEmpty)
    }

    @Test("A stub transport stops waiting for requests if the waiting task is cancelled")
    func stopsWaiting() async {
        let stub = StubTransport(["GET products/{}": .status(200)])
        let task = Task { await stub.waitForRequests(count: 1) }
        task.cancel()
        #expect(await task.value.isEmpty)
    }
}
