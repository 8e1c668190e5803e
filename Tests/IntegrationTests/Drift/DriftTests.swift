import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("Drift of real servers")
struct DriftTests {
    @Test("Drift detection finds what the Django REST framework declaration omits", .running(.drf))
    func django() async throws {
        let drift = DriftDetector()
        let items = DjangoAPI(Server.drf.url).items.endpoints.list().with { Observe(drift) }
        #expect(try await items.all.collect(upTo: 20).count == 20)
        // The declaration reads every key, but no item has a file.
        #expect(drift.report.findings.isSubset(of: ["GET page/ results[].doc neverPresent"]))

        let names: Endpoint<[Name]> = items.client.endpoint {
            GET("page/")
            Envelope("results")
            Observe(drift)
        }
        #expect(try await !names.send().isEmpty)
        #expect(
            drift.report.findings.isSuperset(of: [
                "GET page/ results[].price unread", "GET page/ results[].created unread",
            ])
        )
    }

    @Test("Drift detection finds what the Kinto declaration omits", .running(.kinto))
    func kinto() async throws {
        let drift = DriftDetector()
        let api = KintoAPI(Server.kinto.url, user: "admin", password: "s3cr3t")
        _ = try await api.root().with { Observe(drift) }.send()
        #expect(
            drift.report.findings.isSuperset(of: [
                "GET / capabilities unread", "GET / settings unread", "GET / user.bucket unread",
            ])
        )
        #expect(!drift.report.findings.contains { $0.contains("project_name") || $0.contains("principals") })
    }

    @Test("Drift detection finds what the Datasette declaration omits", .running(.datasette))
    func datasette() async throws {
        let drift = DriftDetector()
        let api = DatasetteAPI(Server.datasette.url)
        _ = try await api.items.endpoints.list().with { Observe(drift) }.send()
        let found = drift.report.findings
        #expect(found.contains("GET shop/item.json ok unread"))
        #expect(!found.contains { $0.contains("rows") && $0.hasSuffix("unread") })
    }

    @Test("Drift detection finds what the JSON:API declaration omits", .running(.jsonapi))
    func blog() async throws {
        let drift = DriftDetector()
        _ = try await BlogAPI(Server.jsonapi.url).blogs.endpoints.list().with { Observe(drift) }.send()
        let found = drift.report.findings
        #expect(found.contains { $0.hasPrefix("GET blogs data[].") && $0.hasSuffix(" unread") }, "\(found)")
        #expect(!found.contains { $0.contains("attributes.name") || $0.contains("links.next") }, "\(found)")
    }

    @Test("Drift detection finds what the Prometheus declaration omits", .running(.prometheus))
    func prometheus() async throws {
        let drift = DriftDetector()
        let api = PrometheusAPI(Server.prometheus.url)
        _ = try await api.targets.with { Observe(drift) }.send()
        let targets = drift.report.findings
        #expect(
            targets.isSuperset(of: [
                "GET targets data.activeTargets[].discoveredLabels unread",
                "GET targets data.activeTargets[].lastError unread", "GET targets data.droppedTargets unread",
            ])
        )
        #expect(!targets.contains { $0.contains(".labels") || $0.contains("status") })
        drift.reset()
        // A query result is decoded by its type, so no member is unread.
        _ = try await api.query("up").with { Observe(drift) }.send()
        #expect(drift.report.responseCount == 1)
        #expect(drift.report.isEmpty, "\(drift.report)")
    }

    @Test("Drift detection finds what the container registry declaration omits", .running(.registry))
    func registry() async throws {
        let drift = DriftDetector()
        let api = RegistryAPI(Server.registry.url)
        let repository = try #require(try await api.catalog(pageSize: 1).with { Observe(drift) }.send().first)
        #expect(drift.report.isEmpty)
        _ = try await api.tags(of: [repository]).with { Observe(drift) }.send()
        #expect(drift.report.findings == ["GET {+}/tags/list name unread"])
    }

    @Test("Drift detection finds what the httpbin declaration omits", .running(.httpbin))
    func httpbin() async throws {
        let drift = DriftDetector()
        let api = HTTPBinAPI(Server.httpbin.url)
        _ = try await api.echo(segment: "a").with { Observe(drift) }.send()
        #expect(drift.report.findings == ["GET anything/{} origin unread"])
        #expect(!drift.report.description.contains("127.0.0.1"))
    }

    private struct Name: Decodable, Sendable { let name: String }
}

extension DriftDetector.Report {
    /// The findings as "method, template, key path, kind".
    fileprivate var findings: Set<String> {
        Set(
            endpoints.flatMap { endpoint in
                endpoint.entries.map { entry in
                    let kind =
                        switch entry.kind {
                        case .unread: "unread"
                        case .neverPresent: "neverPresent"
                        default: entry.kind.description
                        }
                    return
                        "\(endpoint.method) \(endpoint.template.isEmpty ? "/" : endpoint.template) \(entry.keyPath) \(kind)"
                }
            }
        )
    }
}
