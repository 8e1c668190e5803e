import Foundation
import Testing
import Waybill

@Suite("Prometheus", .running(.prometheus))
struct PrometheusTests {
    @Test("A Prometheus vector is decoded from its envelope, with its status", arguments: TransportUnderTest.all)
    func vector(over transport: TransportUnderTest) async throws {
        let response = try await PrometheusAPI(over: transport).query(#"up{job="self"}"#).response()
        #expect(response.metadata(PrometheusAPI.Status.self) == .success)
        guard case .vector(let series) = response.value else {
            Issue.record("not a vector: \(response.value)")
            return
        }
        #expect(series.count == 1)
        #expect(series.first?.metric["job"] == "self")
        #expect(series.first?.value?.value == 1)
    }

    @Test(
        "Expressions arrive at Prometheus unchanged in a query and in a form",
        arguments: TransportUnderTest.all,
        [("1 + 1", 2.0), ("7 % 4", 3.0), ("2 ^ 3 != bool 8", 0.0), (#"scalar(vector(5)) # & = + ü"#, 5.0)]
    )
    func expressions(over transport: TransportUnderTest, _ row: (expression: String, value: Double)) async throws {
        let api = PrometheusAPI(over: transport)
        for endpoint in [api.query(row.expression), api.query(longExpression: row.expression)] {
            guard case .scalar(let sample) = try await endpoint.send() else {
                Issue.record("not a scalar")
                return
            }
            #expect(sample.value == row.value)
        }
    }

    @Test("A time is sent to Prometheus in seconds", arguments: TransportUnderTest.all)
    func time(over transport: TransportUnderTest) async throws {
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        guard case .scalar(let sample) = try await PrometheusAPI(over: transport).query("time()", at: time).send()
        else {
            Issue.record("not a scalar")
            return
        }
        #expect(sample.time == time)
        #expect(sample.value == 1_700_000_000)
    }

    @Test("A Prometheus query is flattened from a value", arguments: TransportUnderTest.all)
    func range(over transport: TransportUnderTest) async throws {
        let start = Date(timeIntervalSince1970: 1_700_000_000)
        let range = PrometheusAPI.RangeQuery(query: "vector(1)", start: start, end: start + 60, step: 15)
        let endpoint = PrometheusAPI(over: transport).query(range)
        #expect(try endpoint.url.query == "query=vector%281%29&start=1700000000&end=1700000060&step=15")
        guard case .matrix(let series) = try await endpoint.send() else {
            Issue.record("not a matrix")
            return
        }
        #expect(series.first?.values?.map(\.value) == [1, 1, 1, 1, 1])
        #expect(series.first?.values?.last?.time == start + 60)
    }

    @Test("An array is sent to Prometheus as query items with brackets", arguments: TransportUnderTest.all)
    func series(over transport: TransportUnderTest) async throws {
        let api = PrometheusAPI(over: transport)
        let series = try await api.series(matching: ["up", "process_start_time_seconds"]).send()
        #expect(Set(series.map { $0["__name__"] }) == ["up", "process_start_time_seconds"])
        #expect(try await api.values(of: "job").send() == ["self"])
    }

    @Test("A value is decoded from a nested Prometheus envelope", arguments: TransportUnderTest.all)
    func targets(over transport: TransportUnderTest) async throws {
        let targets = try await PrometheusAPI(over: transport).targets.send()
        #expect(targets.map(\.health) == ["up"])
        #expect(targets.first?.labels["job"] == "self")
        #expect(targets.first?.scrapeUrl.lastPathComponent == "metrics")
    }

    @Test("An invalid Prometheus query fails with a typed problem", arguments: TransportUnderTest.all)
    func badQuery(over transport: TransportUnderTest) async throws {
        let api = PrometheusAPI(over: transport)
        let syntax = try await statusFailure(api.query("up(").send)
        #expect(syntax.status == 400)
        let problem = try #require(syntax.problem(as: PrometheusProblem.self))
        #expect(problem.errorType == "bad_data")
        #expect(problem.error.contains("unclosed left parenthesis"))

        let execution = try await statusFailure(api.query(#"vector(1) + on() {__name__=~"process_.*"}"#).send)
        #expect(execution.status == 422)
        #expect(execution.problem(as: PrometheusProblem.self)?.errorType == "execution")

        let nothing = try await statusFailure(api.series(matching: []).send)
        #expect(nothing.problem(as: PrometheusProblem.self)?.error == "no match[] parameter provided")
    }

    @Test("A Prometheus failure in plain text has no problem and keeps its text", arguments: TransportUnderTest.all)
    func plainText(over transport: TransportUnderTest) async throws {
        let nowhere: Endpoint<JSONValue> = PrometheusAPI(over: transport).endpoint { GET("nowhere") }
        let failure = try await statusFailure(nowhere.send)
        #expect(failure.isNotFound)
        #expect(failure.problem == nil)
        #expect(failure.body == Data("404 page not found\n".utf8))
        #expect(APIError.status(failure).description.contains("404 page not found"))
    }

    @Test(
        "A Prometheus response of another shape throws a decoding error with the path",
        arguments: TransportUnderTest.all
    )
    func wrongType(over transport: TransportUnderTest) async throws {
        let endpoint: Endpoint<[String]> = PrometheusAPI(over: transport).endpoint {
            GET("query")
            Query("query", "1")
        }
        guard case .decoding(let failure) = try await failure(endpoint.send) else {
            Issue.record("not a decoding failure")
            return
        }
        #expect(failure.path == "data")
        #expect(failure.status == 200)
    }
}

extension PrometheusAPI {
    init(over transport: TransportUnderTest) { self.init(Server.prometheus.url, transport: transport.transport) }
}
