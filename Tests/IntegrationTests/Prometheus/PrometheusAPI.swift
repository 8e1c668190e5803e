import Foundation
import Waybill

/// The API of Prometheus: queries over the time series that it has collected.
struct PrometheusAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Envelope("data")
            Metadata(Status.self, at: "status")
            Problem(PrometheusProblem.self)
            // A status of success can have an error in its body.
            Problem(PrometheusProblem.self, on: .success, when: { $0.status == .error })
        }
    }

    /// The value of an expression at a time; by default now.
    func query(_ expression: String, at time: Date? = nil) -> Endpoint<QueryResult> {
        endpoint {
            GET("query")
            Query("query", expression)
            Query("time", time, as: .secondsSince1970)
        }
    }

    /// The same as a form, for expressions that are too long for a URL.
    func query(longExpression expression: String) -> Endpoint<QueryResult> {
        endpoint {
            POST("query")
            Body(form: ["query": expression])
        }
    }

    /// The values of an expression over a range of time.
    func query(_ range: RangeQuery) -> Endpoint<QueryResult> {
        endpoint {
            GET("query_range")
            Query(range, dates: .secondsSince1970)
        }
    }

    /// The series that match any of the selectors, each by its labels.
    func series(matching selectors: [String]) -> Endpoint<[[String: String]]> {
        endpoint {
            GET("series")
            Query("match", selectors, as: .brackets)
        }
    }

    /// The values that a label has.
    func values(of label: String) -> Endpoint<[String]> {
        endpoint { GET("label/\(label)/values") }
    }

    /// What is being scraped.
    var targets: Endpoint<[Target]> {
        endpoint {
            GET("targets")
            Envelope("data", "activeTargets")
        }
    }
}

extension PrometheusAPI {
    /// Whether an answer is one.
    enum Status: String, Decodable, Sendable {
        case success, error
    }

    struct RangeQuery: Encodable, Sendable {
        var query: String
        var start: Date
        var end: Date
        /// In seconds.
        var step: Double
        /// In seconds; nil for the server's own.
        var timeout: Double?
    }

    struct Target: Decodable, Sendable {
        let labels: [String: String]
        let scrapeUrl: URL
        let health: String
        let lastScrape: Date
    }

    /// What an expression comes to; its type says which.
    enum QueryResult: Decodable, Sendable {
        /// A number.
        case scalar(Sample)
        /// A number for each series.
        case vector([Series])
        /// Numbers over time for each series.
        case matrix([Series])

        private enum CodingKeys: CodingKey {
            case resultType, result
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decode(String.self, forKey: .resultType) {
            case "scalar": self = .scalar(try container.decode(Sample.self, forKey: .result))
            case "vector": self = .vector(try container.decode([Series].self, forKey: .result))
            case "matrix": self = .matrix(try container.decode([Series].self, forKey: .result))
            case let type:
                throw DecodingError.dataCorruptedError(
                    forKey: .resultType,
                    in: container,
                    debugDescription: "\"\(type)\" is not a type of result"
                )
            }
        }
    }

    /// A series: its labels, and one sample or several.
    struct Series: Decodable, Sendable {
        let metric: [String: String]
        let value: Sample?
        let values: [Sample]?
    }

    /// A number at a time, which Prometheus writes as `[1795233987.064,"1"]`.
    struct Sample: Decodable, Sendable {
        let time: Date
        let value: Double

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            time = Date(timeIntervalSince1970: try container.decode(Double.self))
            let text = try container.decode(String.self)
            guard let value = Double(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a number")
            }
            self.value = value
        }
    }
}

/// A failure as Prometheus words it.
struct PrometheusProblem: Decodable, Sendable {
    let status: PrometheusAPI.Status
    let errorType: String
    let error: String
}
