#if os(Linux)
    import Foundation
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Broken pipes")
    struct BrokenPipeTests {
        @Test("A broken pipe does not end the process, and leaves no signal pending")
        func ignored() {
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            close(ends[0])
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            var code: Int32 = 0
            BrokenPipe.ignored {
                var byte: UInt8 = 0
                if write(ends[1], &byte, 1) < 0 { code = errno }
            }
            #expect(code == EPIPE)
            var pending = sigset_t()
            sigpending(&pending)
            #expect(sigismember(&pending, SIGPIPE) == 0)
            var after = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &after)
            #expect(sigismember(&after, SIGPIPE) == sigismember(&mask, SIGPIPE))
            close(ends[1])
        }
    }
#endif
