import Dispatch
import Testing

@testable import WaybillURLSession

@Suite("EarliestAlarm")
struct EarliestAlarmTests {
    private func moment(_ seconds: UInt64) -> DispatchTime { DispatchTime(uptimeNanoseconds: seconds * 1_000_000_000) }

    @Test("An earlier alarm replaces the pending one, and a later one is not set")
    func earliest() {
        var alarm = EarliestAlarm()
        let set = ([3_600, 3_600, 4_000, 60, 61, 1] as [UInt64]).map { alarm.set(at: moment($0)) }
        #expect(set == [true, false, false, true, false, true])
        #expect(alarm.time == moment(1))
    }

    @Test("A replaced alarm does not ring, and its replacement rings once")
    func replaced() {
        var alarm = EarliestAlarm()
        _ = alarm.set(at: moment(3_600))
        let late = alarm
        _ = alarm.set(at: moment(60))
        let early = alarm
        let lateRings = alarm.ring(late)
        #expect(!lateRings)
        #expect(alarm.time == moment(60))
        let earlyRings = alarm.ring(early)
        #expect(earlyRings)
        #expect(alarm.time == .distantFuture)
        _ = alarm.set(at: moment(3_600))
        let earlyRingsAgain = alarm.ring(early)
        #expect(!earlyRingsAgain)
    }

    @Test("An alarm in the distant future is not set")
    func never() {
        var alarm = EarliestAlarm()
        let isSet = alarm.set(at: .distantFuture)
        #expect(!isSet)
    }
}
