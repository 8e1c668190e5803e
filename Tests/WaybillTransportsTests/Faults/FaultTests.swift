import CallSupport
import Foundation
import TestSupport
import Testing
import WaybillTesting

@testable import Waybill

@Suite("Faults", .inTurn, .safetyNet)
struct FaultTests {
    // On Linux, URLSession uses a core while it waits for a response, so only some faults are tested over it.
    private static let trials = Fault.all.filter { !$0.isAboutTLS }.enumerated().flatMap { index, fault in
        (index % 5 == 0 ? Carrier.allCases : Carrier.waiting).map { (fault, $0) }
    }

    @Test(
        "A fault results in its typed error or the right response, and later calls are unaffected",
        arguments: trials
    )
    func befalls(_ fault: Fault, _ carrier: Carrier) async throws {
        guard let (expected, receipts) = fault.expectation(over: carrier) else { return }
        try await FaultTrial(fault: fault, carrier: carrier, expected: expected, receipts: receipts).run()
    }

    @Test("Faults have unique names")
    func namesAreUnique() {
        #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
    }

    #if os(Linux)
        @Test(
            "A certificate fault results in its expected outcome",
            .needsTLSServer,
            arguments: Fault.certificates,
            Carrier.allCases
        )
        func befallsTLS(_ fault: Fault, _ carrier: Carrier) async throws { try await befalls(fault, carrier) }

        @Test(
            "A fault listed as fatal ends the process over URLSession",
            arguments: Fault.all.filter { $0.lastWords != nil }.prefix(Thoroughness.repetitions(.max, otherwise: 1))
        )
        func endsProcess(_ fault: Fault) async throws {
            let result = await #expect(
                processExitsWith: .signal(Self.trap),
                observing: [\.standardErrorContent]
            ) { [name = fault.name as String] in
                // Skips the backtrace, which takes seconds to create.
                signal(FaultTests.trap, SIG_DFL)
                let fault = try #require(Fault.all.first { $0.name == name })
                try await FaultTrial(fault: fault, carrier: .urlSession, expected: fault.expected).run()
            }
            let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(words.contains("Fatal error: \(fault.lastWords ?? "")"))
        }

        /// The signal of a fatal error.
        private static var trap: CInt {
            #if arch(x86_64)
                SIGILL
            #else
                SIGTRAP
            #endif
        }
    #endif
}
