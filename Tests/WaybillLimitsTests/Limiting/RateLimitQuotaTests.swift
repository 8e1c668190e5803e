import Foundation
import Testing
@testable import WaybillLimits

@testable import Waybill

@Suite("Quotas in responses")
struct RateLimitQuotaTests {
    struct Row: CustomTestStringConvertible {
        let fields: [(String, String)]
        /// The remaining requests, the time until the reset, and the policy of each quota.
        let quotas: [String]

        init(_ fields: (String, String)..., reads quotas: String...) {
            self.fields = fields
            self.quotas = quotas
        }

        var testDescription: String { fields.map { "\($0): \($1)" }.joined(separator: ", ") }
    }

    @Test("Quotas are parsed from the draft's fields, earlier drafts, and their predecessors", arguments: rows)
    func quotas(_ row: Row) {
        var fields = HTTPFields()
        for (name, value) in row.fields { fields[name] = value }
        let response = HTTPResponse(status: 200, headerFields: fields)
        let quotas = RateLimitQuota.all(in: response, now: Date(timeIntervalSince1970: 1_800_000_000))
        let texts = quotas.map { quota in
            let policy = quota.policy.map { ", then \($0.quota) in \($0.window.inSeconds)" } ?? ""
            return "\(quota.remaining) in \(quota.reset.inSeconds)" + policy
        }
        #expect(texts == row.quotas)
        #expect(Set(quotas.map(\.name)).count == quotas.count)
    }

    static let rows = [
        Row(("RateLimit", #""default";r=50;t=30"#), reads: "50 in 30.0"),
        Row(("RateLimit", #""a";r=5;t=30, "b" ; r=0 ; t=60"#), reads: "5 in 30.0", "0 in 60.0"),
        Row(("RateLimit", #""a,b;r=1\"";r=5;t=30"#), reads: "5 in 30.0"),
        Row(("RateLimit", #""a";r=5;t=30;pk=:YQ==:, "a";r=6;t=30;pk=:Yg==:"#), reads: "5 in 30.0", "6 in 30.0"),
        Row(
            ("RateLimit", #""burst";r=9;t=3,"day";r=50;t=300"#),
            ("RateLimit-Policy", #""burst";q=10;w=5,"day";q=1000;w=86400"#),
            reads: "9 in 3.0, then 10 in 5.0",
            "50 in 300.0, then 1000 in 86400.0"
        ),
        Row(
            ("RateLimit", #""a";r=9"#),
            ("RateLimit-Policy", #""a";q=10;w=60"#),
            reads: "9 in 60.0, then 10 in 60.0"
        ),
        Row(("RateLimit", #""a";r=9"#), ("RateLimit-Policy", #""b";q=10;w=60"#)),
        Row(("RateLimit", #""a";r=9;t=5"#), ("RateLimit-Policy", #""a";q=10;w=60;qu="content-bytes""#)),
        Row(
            ("RateLimit", #""a";r=9;t=5"#),
            ("RateLimit-Policy", #""a";q=10;w=60;qu="requests""#),
            reads: "9 in 5.0, then 10 in 60.0"
        ),
        Row(("RateLimit", #""a";r=9;t=5"#), ("RateLimit-Policy", #""a";q=many;w=60"#), reads: "9 in 5.0"),
        // Earlier drafts
        Row(("RateLimit", "limit=100, remaining=50, reset=5"), reads: "50 in 5.0"),
        Row(
            ("RateLimit", "limit=100, remaining=50, reset=5"),
            ("RateLimit-Policy", "10;w=1, 100;w=60"),
            reads: "50 in 5.0, then 100 in 60.0"
        ),
        Row(("RateLimit-Limit", "100"), ("RateLimit-Remaining", "7"), ("RateLimit-Reset", "12"), reads: "7 in 12.0"),
        Row(("X-RateLimit-Remaining", "7"), ("X-RateLimit-Reset", "1800000012"), reads: "7 in 12.0"),
        Row(("X-Rate-Limit-Remaining", "0"), ("X-Rate-Limit-Reset", "12"), reads: "0 in 12.0"),
        // Nothing to read
        Row(),
        Row(("RateLimit-Policy", #""a";q=10;w=60"#)),
        Row(("RateLimit", "")),
        Row(("RateLimit", ";;=;,=,r")),
        Row(("RateLimit", #""a";r=-1;t=30"#)),
        Row(("RateLimit", #""a";r=1.5;t=30"#)),
        Row(("RateLimit", #""a";r=99999999999999999999;t=30"#)),
        Row(("RateLimit", #""a";r=5;t=0"#)),
        Row(("RateLimit", #""a";r=5;t=90000"#)),
        Row(("X-RateLimit-Remaining", "7")),
        Row(("X-RateLimit-Reset", "7")),
        Row(("X-RateLimit-Remaining", "+7"), ("X-RateLimit-Reset", "7")),
    ]
}
