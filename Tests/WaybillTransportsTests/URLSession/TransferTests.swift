import Foundation
import Testing

@testable import Waybill
@testable import WaybillURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Transfer")
struct TransferTests {
    /// Returns a transfer that has received pieces of a body, without sending a request.
    private func transfer(_ pieces: [String], ofLength length: Int) throws -> (transfer: Transfer, head: ResponseHead) {
        let url = try #require(URL(string: "http://h/"))
        let response = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: ["Content-Length": "\(length)"]
            )
        )
        let session = try TransferSession(
            configuration: URLSessionTransport.defaultConfiguration,
            settings: URLSessionSettings()
        )
        let transfer = try Transfer(HTTPRequest(method: .get, url: url), TransferOptions(), body: .none, in: session)
        transfer.receive(response)
        for piece in pieces { transfer.receive(Data(piece.utf8)) }
        return (transfer, ResponseHead(response, method: .get))
    }

    @Test(
        "A URLSession transfer's body has the bytes that have already arrived",
        arguments: [["abcdef"], ["ab", "cdef"], ["a", "bcd", "ef"]]
    )
    func joinsPieces(_ pieces: [String]) throws {
        let (transfer, head) = try transfer(pieces, ofLength: 6)
        #expect(transfer.body(of: head).bytes == Data("abcdef".utf8))
    }

    @Test("A URLSession transfer is cancelled if its unread or partly read body is dropped", arguments: [0, 1])
    func stops(chunksRead: Int) async throws {
        let (transfer, head) = try transfer(["ab"], ofLength: 3)
        var body: HTTPBody? = transfer.body(of: head)
        var iterator = body?.makeAsyncIterator()
        for _ in 0..<chunksRead { #expect(try await iterator?.next() == Data("ab".utf8)) }
        body = nil
        #expect(!transfer.hasEnded)
        iterator = nil
        #expect(transfer.hasEnded)
    }

    @Test("A URLSession transfer is not cancelled if its body is dropped after the last byte has arrived")
    func goesOn() async throws {
        let (transfer, head) = try transfer(["ab"], ofLength: 3)
        var iterator: HTTPBody.AsyncIterator? = transfer.body(of: head).makeAsyncIterator()
        transfer.receive(Data("c".utf8))
        #expect(try await iterator?.next() == Data("ab".utf8))
        iterator = nil
        #expect(!transfer.hasEnded)
    }

    @Test("A URLSession transfer counts a head, a piece of the body and a touch as activity")
    func notesActivity() throws {
        let (transfer, head) = try transfer([], ofLength: 3)
        #expect(head.bodyLength == .known(3))
        #expect(transfer.dueChange() == .resume)
        let later = DispatchTime.now() + 10
        var idle = transfer.idleTime(at: later)
        for event in [{ transfer.receive(Data([1])) }, { transfer.touch() }] {
            event()
            #expect(transfer.idleTime(at: later) < idle)
            idle = transfer.idleTime(at: later)
        }
        let url = try #require(URL(string: "http://h/"))
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        transfer.receive(try #require(response))
        #expect(transfer.idleTime(at: later) < idle)
    }
}
