import Foundation
import Waybill
import WaybillCaching
import WaybillTransfers

// The rows for clauses of calls, options and streams.
nonisolated extension OffTable {
    static let calls: [Row] = [
        row("Call.Name", read) {
            Call.Name("a")
        } off: {
            Call.Name.none
        },
        row("Control", read) {
            Control(with: TransferControl())
        } off: {
            Control.none
        },
        row("Timeout", read) {
            Timeout(.seconds(9))
        } off: {
            Timeout.none
        },
        row("Retry", read, status: 503) {
            Retry(attempts: 2, backoff: .none)
        } off: {
            Retry.none
        },
        row("Retry.Budget", retried, status: 503) {
            Retry.Budget(capacity: 5)
        } off: {
            Retry.Budget.none
        },
        row("Redirects", moved, by: "Redirects(.follow)", status: 302) {
            Redirects(.reject)
        } off: {
            Redirects(.follow)
        },
        row(
            "Route.Links",
            moved,
            by: "Route.Links(to: .linkedOrigin)",
            status: 302,
            location: "https://a.example/moved"
        ) {
            Route.Links(to: .baseOrigin)
        } off: {
            Route.Links(to: .linkedOrigin)
        },
        row("Use", read) {
            Use(Marking())
        } off: {
            Use.none
        },
        row(
            "Observe",
            "Observe.none",
            "WaybillTests/Observing/EventOrderTests",
            "Observe.none removes the observers of outer scopes and keeps those of its own and inner scopes"
        ),
    ]

    static let options: [Row] = [
        row("Cached", readTwice) {
            Cached(in: HTTPCache(maximumBytes: 100_000))
        } off: {
            Cached.none
        },
        row("Cached.Policy", read, by: "Cached.Policy(.default)") {
            Cached.Policy(.onlyIfCached)
        } off: {
            Cached.Policy(.default)
        },
        row(
            "Coalesced",
            "Coalesced.none",
            "WaybillCachingTests/Caching/CoalescingTests",
            "Requests that differ in any part do not share a transfer"
        ),
        row(
            "Limit",
            "Limit.none",
            "WaybillLimitsTests/Limiting/LimitSharingTests",
            "Rate and concurrency limits of client and resource apply together, and Limit.none disables them"
        ),
        row(
            "CircuitBreaker",
            "CircuitBreaker.none",
            "WaybillLimitsTests/Limiting/CircuitBreakerTests",
            "Circuits are per origin and client, CircuitBreaker.none disables them, and healthy ones are not kept"
        ),
        row(
            "WaitsForConnectivity",
            "WaitsForConnectivity.none",
            "WaybillLimitsTests/Connectivity/WaitsForConnectivityTests",
            "Calls to localhost and calls with WaitsForConnectivity.none do not wait"
        ),
        row(
            "LongRunning",
            "LongRunning.none",
            "WaybillOperationsTests/Operations/LongRunningTests",
            "With LongRunning.none, the first response is the result, and there is no operation to follow"
        ),
        row(
            "Resumable",
            "Resumable.none",
            "WaybillTransfersTests/Uploads/ResumableDeclarationTests",
            "Resumable.none sends an ordinary upload, and resuming one is a declaration error"
        ),
    ]

    static let streams: [Row] = [
        row("Decode.StreamFormat", streamed, body: #"[{"id":1}]"#) {
            Decode.StreamFormat(.jsonLines)
        } off: {
            Decode.StreamFormat.none
        },
        row("Events.MediaTypes", events, body: "data: {\"id\":1}\n\n") {
            Events.MediaTypes("application/json")
        } off: {
            Events.MediaTypes.none
        },
        row(
            "Events.End",
            "Events.End.none",
            "WaybillTransfersTests/Events/EventStreamEndTests",
            "Events.End.none disables the declared end of an outer scope"
        ),
        row(
            "Events.Reconnection",
            "Events.Reconnection.none",
            "WaybillTransfersTests/Events/EventStreamEndTests",
            "Events.Reconnection.none disables the reconnection of an outer scope"
        ),
        row(
            "Events.IgnoreUnknown",
            "Events.IgnoreUnknown.none",
            "WaybillTransfersTests/Events/NamedEventTests",
            "Events.IgnoreUnknown.none disables the clause of an outer scope"
        ),
    ]
}
