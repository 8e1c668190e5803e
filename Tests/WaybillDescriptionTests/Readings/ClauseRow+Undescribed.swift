import Foundation
import Waybill
import WaybillCaching
import WaybillDescription
import WaybillLimits
import WaybillSessions
import WaybillTesting
import WaybillTransfers

extension ClauseRow {
    /// The clauses that change neither a document nor a comparison.
    static let undescribed: [ClauseRow] = ofCalls + ofRequests + ofResponses

    private static let ofCalls: [ClauseRow] = [
        read("Retry") { Retry(attempts: 2) },
        read("Retry.Budget") { Retry.Budget() },
        read("Limit") { Limit(concurrent: 1) },
        read("CircuitBreaker") { CircuitBreaker() },
        read("Timeout") { Timeout(.seconds(1)) },
        read("WaitsForConnectivity") { WaitsForConnectivity(maximumWait: .seconds(1)) },
        read("Cached") { Cached(in: HTTPCache(maximumBytes: 1_000)) },
        read("Cached.Policy") { Cached.Policy(.reload) },
        read("Coalesced") { Coalesced() },
        read("Redirects") { Redirects(.reject) },
        read("BodyLimits") { BodyLimits(successBytes: 1_000) },
        read("Control") { Control(with: TransferControl()) },
        read("Use") { Use(TrafficRecorder()) },
        read("Observe") { Observe { _ in } },
    ]

    private static let ofRequests: [ClauseRow] = [
        read("Signed") { Signed(by: Signature()) },
        read("Cookies") { Cookies(CookieJar()) },
        posted("Compressed", thing) { Compressed(.gzip, minimumBytes: 1) },
        posted("Resumable", thing) { Resumable(.draft) },
        differences,
    ]

    private static let ofResponses: [ClauseRow] = [
        listed("DropInvalidItems") { DropInvalidItems() },
        streamed("Events.End") { Events.End("[DONE]") },
        streamed("Events.Reconnection") { Events.Reconnection() },
        streamed("Events.IgnoreUnknown") { Events.IgnoreUnknown() },
    ]

    static let differences = ClauseRow(
        testDescription: "Body.Differences",
        calls: { APIDescription.Builder.buildExpression(patched($0, hasClause: $1)) },
        send: { client, hasClause in
            var changed = thing
            changed.name = "b"
            _ = try await patched(client, hasClause: hasClause).patch(from: thing, to: changed)
        }
    )

    private static func patched(_ client: Client, hasClause: Bool) -> Resource<Thing, Patching> {
        client.resource("things") {
            if hasClause { Body.Differences(as: .jsonPatch) }
        }
    }

    /// A signer that adds a header field.
    struct Signature: Signed.Signer {
        func sign(_ request: inout HTTPRequest, body: Data?) async throws {
            request.headerFields["X-Signature"] = "s1gnature-of-the-request"
        }
    }
}
