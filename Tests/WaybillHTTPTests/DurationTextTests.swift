import Testing

@testable import Waybill

@Suite("Formatted durations")
struct DurationTextTests {
    @Test(
        "A duration is formatted as a rounded, readable number",
        arguments: [
            (Duration.zero, "0 ms"), (.microseconds(40), "0 ms"), (.microseconds(420), "0.4 ms"),
            (.milliseconds(34), "34 ms"), (.microseconds(999_400), "999 ms"), (.microseconds(999_600), "1 s"),
            (.milliseconds(1240), "1.2 s"), (.milliseconds(1260), "1.3 s"), (.seconds(12), "12 s"),
            (.milliseconds(59_960), "1 min"), (.seconds(60), "1 min"), (.seconds(100), "1 min 40 s"),
            (.milliseconds(450_123), "7 min 30 s"), (.seconds(3600), "1 h"), (.seconds(3659), "1 h"),
            (.seconds(3660), "1 h 1 min"), (.seconds(93_600), "26 h"), (.seconds(172_800), "2 days"),
            (.seconds(-1), "-1 s"), (.seconds(Int64.max), "106751991167300 days"),
            (.seconds(Int64.min), "-106751991167300 days"),
        ]
    )
    func text(duration: Duration, text: String) { #expect(duration.shown == text) }
}
