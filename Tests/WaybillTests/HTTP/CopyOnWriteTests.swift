import Testing
import Waybill
import WaybillHTTP

@Suite("Values behind a shared reference")
struct CopyOnWriteTests {
    @Test("A change of a copy leaves the original as it is, and the other way round")
    func values() {
        var original = CopyOnWrite(["a": 1])
        var copy = original
        copy.content["a"] = 2
        #expect(original.content == ["a": 1])
        #expect(copy.content == ["a": 2])
        original.content["b"] = 3
        #expect(original.content == ["a": 1, "b": 3])
        #expect(copy.content == ["a": 2])
    }

    @Test("A request of a call that a step changes stays the same for the steps before it")
    func requests() throws {
        let request = CallRequest(HTTPRequest(method: .get, url: Shop.url), secrets: try Self.secrets())
        var changed = request
        changed.attempt = 2
        changed.hasLeftOrigin = true
        changed.headerFields[.accept] = "text/plain"
        #expect(request.attempt == 1)
        #expect(!request.hasLeftOrigin)
        #expect(request.headerFields[.accept] == nil)
        #expect(changed.headerFields[.accept] == "text/plain")
    }

    @Test("A response of a call that a step changes stays the same for the steps behind it")
    func responses() {
        let response = CallResponse(unsent: HTTPResponse(status: 200), attempt: 1, redaction: nil)
        var changed = response
        changed.http.status = 500
        changed.isRead = true
        #expect(response.status == 200)
        #expect(!response.isRead)
        #expect(changed.status == 500)
    }

    private static func secrets() throws -> any CallSecrets {
        let endpoint: Endpoint<Void> = Client(Shop.url).endpoint { GET("a") }
        return try endpoint.plan().secrets
    }
}
