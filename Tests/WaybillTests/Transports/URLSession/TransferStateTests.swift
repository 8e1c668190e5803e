import Foundation
import Testing

@testable import Waybill
@testable import WaybillURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Transfer.State")
struct TransferStateTests {
    private func head(contentLength: String?) throws -> ResponseHead {
        let url = try #require(URL(string: "http://h/"))
        let fields = contentLength.map { ["Content-Length": $0] }
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
        return ResponseHead(try #require(response), method: .get)
    }

    @Test("A URLSession transfer counts anything that arrives as activity")
    func notesActivity() throws {
        let longAgo = DispatchTime(uptimeNanoseconds: 1)
        var state = Transfer.State()
        state.lastActivity = longAgo
        #expect(state.receive(try head(contentLength: nil)) == nil)
        #expect(state.lastActivity > longAgo)
        state.lastActivity = longAgo
        #expect(state.receive(Data([1])) == nil)
        #expect(state.lastActivity > longAgo)
    }

    @Test("A URLSession transfer has its body once all bytes are there, or at the end if the length is unknown")
    func knowsWholeBody() throws {
        var known = Transfer.State()
        _ = known.receive(try head(contentLength: "2"))
        _ = known.receive(Data([1]))
        #expect(known.takeWholeBody() == nil)
        _ = known.receive(Data([2]))
        #expect(known.takeWholeBody() == [Data([1]), Data([2])])

        var unknown = Transfer.State()
        _ = unknown.receive(try head(contentLength: nil))
        _ = unknown.receive(Data([1]))
        #expect(unknown.takeWholeBody() == nil)
        #expect(unknown.end(.success(())) != nil)
        #expect(unknown.takeWholeBody() == [Data([1])])
    }

    @Test("A URLSession transfer with fewer bytes than declared is an error, even if the session reports none")
    func countsBytes() throws {
        var state = Transfer.State()
        _ = state.receive(try head(contentLength: "3"))
        _ = state.receive(Data([1, 2]))
        let error = #expect(throws: TransportError.self) { try state.outcome(host: "h").get() }
        #expect(error?.kind == .connectionLost)
        #expect(error?.message == "the body from h ended after 2 of 3 bytes")
        _ = state.receive(Data([3]))
        #expect(throws: Never.self) { try state.outcome(host: "h").get() }
    }

    @Test("A URLSession transfer ends once, and ignores later events")
    func endsOnce() throws {
        var state = Transfer.State()
        _ = state.receive(try head(contentLength: nil))
        #expect(state.end(.failure(TransportError(.timedOut))) != nil)
        #expect(state.end(.success(())) == nil)
        _ = state.receive(Data([1]))
        let error = #expect(throws: TransportError.self) { try state.readChunks()?.get() }
        #expect(error?.kind == .timedOut)
    }

    @Test("A URLSession transfer keeps the bytes before a failure, and not those before a cancellation")
    func keepsWhatArrived() throws {
        for (kind, isKept) in [(TransportError.Kind.connectionLost, true), (.cancelled, false)] {
            var state = Transfer.State()
            _ = state.receive(try head(contentLength: nil))
            _ = state.receive(Data([1]))
            _ = state.end(.failure(TransportError(kind)))
            if isKept { #expect(try state.readChunks()?.get() == [Data([1])]) }
            let error = #expect(throws: TransportError.self) { try state.readChunks()?.get() }
            #expect(error?.kind == kind)
        }
    }
}
