import Testing

@testable import Waybill

@Suite("States that are bounded in number")
struct BoundedStatesTests {
    private struct Mark: BoundedState {
        var isAsNew = true
        var matters = false
    }

    private static func origin(_ name: String) throws -> Origin { try #require(Origin("https://\(name).example")) }

    /// Marks an origin; whether it was marked before.
    private static func mark(_ name: String, matters: Bool, in states: inout BoundedStates<Origin, Mark>) throws -> Bool
    {
        states.change(try origin(name), new: Mark()) { mark in
            defer { mark = Mark(isAsNew: false, matters: matters) }
            return !mark.isAsNew
        }
    }

    @Test("They are bounded, whether they matter or not", arguments: [true, false])
    func bound(matters: Bool) throws {
        var states = BoundedStates<Origin, Mark>()
        var most = 0
        for number in 0..<5000 {
            _ = try Self.mark("o\(number)", matters: matters, in: &states)
            most = max(most, states.count)
        }
        #expect(most == BoundedStates<Origin, Mark>.limit)
    }

    @Test("One that matters is kept while those are forgotten that do not")
    func matters() throws {
        var states = BoundedStates<Origin, Mark>()
        _ = try Self.mark("kept", matters: true, in: &states)
        for number in 0..<5000 { _ = try Self.mark("o\(number)", matters: false, in: &states) }
        #expect(try Self.mark("kept", matters: true, in: &states))
        #expect(try !Self.mark("o0", matters: false, in: &states))
    }

    @Test("Where all matter, one that is used is kept")
    func used() throws {
        var states = BoundedStates<Origin, Mark>()
        _ = try Self.mark("used", matters: true, in: &states)
        for number in 0..<5000 {
            _ = try Self.mark("o\(number)", matters: true, in: &states)
            if number % 500 == 0 { #expect(try Self.mark("used", matters: true, in: &states)) }
        }
        #expect(try !Self.mark("o0", matters: true, in: &states))
    }

    @Test("One that is as it was made is not kept, and one that is so again is kept no longer")
    func asNew() throws {
        var states = BoundedStates<Origin, Mark>()
        states.change(try Self.origin("a"), new: Mark()) { _ in }
        #expect(states.count == 0)
        _ = try Self.mark("a", matters: true, in: &states)
        #expect(states.count == 1)
        states.change(try Self.origin("a"), new: Mark()) { $0 = Mark() }
        #expect(states.count == 0)
    }
}
