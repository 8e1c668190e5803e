import Foundation
import Testing

@testable import Waybill
@testable import WaybillURLSession

@Suite("TaskSuspension")
struct TaskSuspensionTests {
    @Test("A URLSession task is suspended and resumed once per change")
    func balanced() {
        var suspension = TaskSuspension(isPossible: true)
        let changes = [false, false, true, true, false, true, false].map { suspension.change(toSuspended: $0) }
        #expect(changes == [.resume, nil, .suspend, nil, .resume, .suspend, .resume])
    }

    @Test("A URLSession task paused before it starts is only resumed")
    func heldBack() {
        var suspension = TaskSuspension(isPossible: true)
        #expect(suspension.change(toSuspended: true) == nil)
        #expect(suspension.isSuspended)
        #expect(suspension.change(toSuspended: false) == .resume)
    }

    @Test("A URLSession task that cannot be suspended is paused only before it starts")
    func impossible() {
        var suspension = TaskSuspension(isPossible: false)
        let changes = [true, false, true, false].map { suspension.change(toSuspended: $0) }
        #expect(changes == [nil, .resume, nil, nil])
        #expect(!suspension.isSuspended)
    }
}
