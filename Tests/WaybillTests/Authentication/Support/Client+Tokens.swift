import CallSupport
import Waybill
import WaybillTesting

extension Client {
    /// Creates a client of the shop that sends a refreshing token with each call.
    init(
        sending tokens: RefreshingToken,
        to stub: StubTransport,
        clock: some Clock<Duration> = ContinuousClock(),
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) {
        self.init(Shop.url, transport: stub, clock: clock) {
            Authorization(.bearer(refreshing: tokens))
            clauses()
        }
    }
}
