import CallSupport
import Foundation
import Testing

@testable import Waybill
@testable import WaybillTransports

@Suite("ResponseState")
struct ResponseStateTests {
    /// Returns the state of a response whose head has arrived.
    private func state(length: Int? = nil, highWater: Int = 512 * 1024) -> ResponseState {
        var state = ResponseState(highWater: highWater)
        #expect(state.receiveHead(length: length) == true)
        return state
    }

    @Test("A body is complete once all its bytes have arrived, or at the end if its length is unknown")
    func knowsWholeBody() throws {
        var known = state(length: 2)
        known.receive(Data([1]))
        #expect(known.takeWholeBody() == nil)
        known.receive(Data([2]))
        #expect(known.takeWholeBody() == Data([1, 2]))

        var unknown = state()
        unknown.receive(Data([1]))
        #expect(unknown.takeWholeBody() == nil)
        #expect(unknown.end(.success(())) == true)
        #expect(unknown.takeWholeBody() == Data([1]))
    }

    @Test("A response with fewer bytes than declared is an error, even if its transfer ends without one")
    func countsBytes() throws {
        var state = state(length: 3)
        state.receive(Data([1, 2]))
        let error = #expect(throws: TransportError.self) { try state.outcome(host: "h").get() }
        #expect(error?.kind == .connectionLost)
        #expect(error?.message == "the body from h ended after 2 of 3 bytes")
        state.receive(Data([3]))
        #expect(throws: Never.self) { try state.outcome(host: "h").get() }
    }

    @Test("A transfer that ends without a response is an error")
    func needsHead() throws {
        let error = #expect(throws: TransportError.self) { try ResponseState().outcome(host: "h").get() }
        #expect(error?.kind == .invalidResponse)
        #expect(error?.message == "h sent no response")
    }

    @Test("A transfer ends once, and ignores later events")
    func endsOnce() throws {
        var state = state()
        #expect(state.end(.failure(TransportError(.timedOut))) == true)
        #expect(state.end(.success(())) == false)
        #expect(state.receiveHead() == false)
        state.receive(Data([1]))
        [2].withUnsafeBytes { state.receive($0) }
        let error = #expect(throws: TransportError.self) { try state.readChunks()?.get() }
        #expect(error?.kind == .timedOut)
    }

    @Test("A response keeps the bytes received before a failure, but not before a cancellation")
    func keepsWhatArrived() throws {
        for (kind, isKept) in [(TransportError.Kind.connectionLost, true), (.cancelled, false)] {
            var state = state()
            state.receive(Data([1]))
            #expect(state.end(.failure(TransportError(kind))) == true)
            if isKept { #expect(try state.readChunks()?.get() == [Data([1])]) }
            let error = #expect(throws: TransportError.self) { try state.readChunks()?.get() }
            #expect(error?.kind == kind)
        }
    }

    @Test("A response is full with enough unread bytes, until they are read or the body is complete")
    func full() throws {
        var state = state(length: 8, highWater: 4)
        state.receive(Data("abc".utf8))
        #expect(!state.isFull)
        state.receive(Data("d".utf8))
        #expect(state.isFull)
        #expect(try state.readChunks()?.get() == [Data("abc".utf8), Data("d".utf8)])
        #expect(!state.isFull)
        state.receive(Data("efg".utf8))
        state.receive(Data("h".utf8))
        #expect(!state.isFull, "the whole body is there")
    }

    @Test("Short copied pieces are joined up to 64 KiB")
    func joinsShortPieces() throws {
        var state = state()
        for size in [1, 2, 64 * 1024, 3] { Data(count: size).withUnsafeBytes { state.receive($0) } }
        #expect(try state.readChunks()?.get().map(\.count) == [3, 64 * 1024, 3])
    }
}
