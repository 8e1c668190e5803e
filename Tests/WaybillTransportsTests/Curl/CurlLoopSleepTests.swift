#if os(Linux)
    import Testing

    @testable import WaybillCurl

    @Suite("Sleep of the libcurl loop")
    struct CurlLoopSleepTests {
        /// The time since the start of the sleep in nanoseconds, the number of transfers, and whether the sleep is
        /// about to end.
        @Test(
            "A sleep is about to end in its first millisecond if at least three transfers are in flight",
            arguments: [
                (1_000, 0, false), (1_000, 1, false), (1_000, 2, false), (1_000, 3, true), (999_999, 3, true),
                (1_000_000, 3, false), (60_000_000_000, 100, false),
            ]
        )
        func isAboutToEnd(nanoseconds: UInt64, transferCount: Int, expected: Bool) {
            let start = ContinuousTime(nanoseconds: 5_000_000_000)
            let sleep = CurlLoop.Sleep(start: start, transferCount: transferCount)
            let now = ContinuousTime(nanoseconds: start.nanoseconds + nanoseconds)
            #expect(sleep.isAboutToEnd(at: now) == expected)
        }
    }
#endif
