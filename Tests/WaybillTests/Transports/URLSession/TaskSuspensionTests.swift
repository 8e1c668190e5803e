import Foundation
import Testing

@testable import Waybill
@testable import WaybillURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("TaskSuspension")
struct TaskSuspensionTests {
    @Test("A URLSession task is suspended and resumed once per change")
    func balanced() {
        var suspension = TaskSuspension(isPossible: true)
        let changes = [false, false, true, true, false, true, false].map { suspension.change(toSuspended: $0) }
        #expect(changes == [.resume, nil, .suspend, nil, .resume, .suspend, .resume])
    }

    @Test("A URLSession task that is paused from the start is neither suspended nor resumed")
    func heldBack() {
        var suspension = TaskSuspension(isPossible: true)
        #expect(suspension.change(toSuspended: true) == nil)
        #expect(suspension.isSuspended)
        #expect(suspension.change(toSuspended: false) == .resume)
    }

    @Test("A URLSession task that cannot be suspended is paused before it runs, and not after")
    func impossible() {
        var suspension = TaskSuspension(isPossible: false)
        let changes = [true, false, true, false].map { suspension.change(toSuspended: $0) }
        #expect(changes == [nil, .resume, nil, nil])
        #expect(!suspension.isSuspended)
    }

    @Test("A response counts as full with enough unread bytes, until they are read or it ends")
    func full() throws {
        let url = try #require(URL(string: "http://h/"))
        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: nil,
            headerFields: ["Content-Length": "8"]
        )
        var state = Transfer.State(highWater: 4)
        _ = state.receive(ResponseHead(try #require(response), method: .get))
        #expect(state.receive(Data("abc".utf8)) == nil)
        #expect(!state.isFull)
        #expect(state.receive(Data("d".utf8)) == nil)
        #expect(state.isFull)
        #expect(try state.readChunks()?.get() == [Data("abc".utf8), Data("d".utf8)])
        #expect(!state.isFull)
        #expect(state.receive(Data("efg".utf8)) == nil)
        #expect(state.receive(Data("h".utf8)) == nil)
        #expect(!state.isFull, "the whole body is there")
    }
}
