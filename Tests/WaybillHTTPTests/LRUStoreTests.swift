import Testing

@testable import Waybill

@Suite("LRU store")
struct LRUStoreTests {
    private struct Mark: BoundedState {
        var isInitial = true
        var isSignificant = false
    }

    private static func origin(_ name: String) throws -> HTTPRequest.Origin {
        try #require(HTTPRequest.Origin("https://\(name).example"))
    }

    /// Marks an origin, and returns whether it was already marked.
    private static func mark(_ name: String, isSignificant: Bool, in states: inout LRUStore<HTTPRequest.Origin, Mark>)
        throws
        -> Bool
    {
        states.change(try origin(name), new: Mark()) { mark in
            defer { mark = Mark(isInitial: false, isSignificant: isSignificant) }
            return !mark.isInitial
        }
    }

    @Test("An LRU store limits its number of states, significant or not", arguments: [true, false])
    func bound(isSignificant: Bool) throws {
        var states = LRUStore<HTTPRequest.Origin, Mark>()
        var most = 0
        for number in 0..<5000 {
            _ = try Self.mark("o\(number)", isSignificant: isSignificant, in: &states)
            most = max(most, states.count)
        }
        #expect(most == LRUStore<HTTPRequest.Origin, Mark>.limit)
    }

    @Test("An LRU store evicts insignificant states first")
    func insignificance() throws {
        var states = LRUStore<HTTPRequest.Origin, Mark>()
        _ = try Self.mark("kept", isSignificant: true, in: &states)
        for number in 0..<5000 { _ = try Self.mark("o\(number)", isSignificant: false, in: &states) }
        #expect(try Self.mark("kept", isSignificant: true, in: &states))
        #expect(try !Self.mark("o0", isSignificant: false, in: &states))
    }

    @Test("An LRU store of significant states evicts the least recently used one")
    func used() throws {
        var states = LRUStore<HTTPRequest.Origin, Mark>()
        _ = try Self.mark("used", isSignificant: true, in: &states)
        for number in 0..<5000 {
            _ = try Self.mark("o\(number)", isSignificant: true, in: &states)
            if number % 500 == 0 { #expect(try Self.mark("used", isSignificant: true, in: &states)) }
        }
        #expect(try !Self.mark("o0", isSignificant: true, in: &states))
    }

    @Test("An LRU store does not keep a state that equals its initial value")
    func initialState() throws {
        var states = LRUStore<HTTPRequest.Origin, Mark>()
        states.change(try Self.origin("a"), new: Mark()) { _ in }
        #expect(states.count == 0)
        _ = try Self.mark("a", isSignificant: true, in: &states)
        #expect(states.count == 1)
        states.change(try Self.origin("a"), new: Mark()) { $0 = Mark() }
        #expect(states.count == 0)
    }
}
