#if os(Linux)
    import Testing

    @testable import WaybillCurl

    @Suite("The sleep of libcurl's loop")
    struct CurlLoopSleepTests {
        /// Times since the start of the sleep in nanoseconds, numbers of transfers, and whether a response is expected.
        @Test(
            "A task wakes the thread if several transfers are in flight and one was active in the last millisecond",
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
