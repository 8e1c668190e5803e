import Foundation
import Waybill

/// The Prometheus API: queries over collected time series.
struct PrometheusAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Envelope("data")
            Metadata(Status.self, at: "status")
            Problem(PrometheusProblem.self)
            // A successful response can contain an error in its body.
            Problem(PrometheusProblem.self, on: .success, when: { $0.status == .error })
        }
    }

    /// Returns the value of an expression at a time, by default now.
    func query(_ expression: String, at time: Date? = nil) -> Endpoint<QueryResult> {
        endpoint {
            GET("query")
            Query("query", expression)
            Query("time", time, as: .secondsSince1970)
        }
    }

    /// Returns the value of an expression too long for a URL, sent as a form.
    func query(longExpression expression: String) -> Endpoint<QueryResult> {
        endpoint {
            POST("query")
            Body(form: ["query": expression])
        }
    }

    /// Returns the values of an expression over a time range.
    func query(_ range: RangeQuery) -> Endpoint<QueryResult> {
        endpoint {
            GET("query_range")
            Query(range, dates: .secondsSince1970)
        }
    }

    /// Returns the label sets of all series that match any of the selectors.
    func series(matching selectors: [String]) -> Endpoint<[[String: String]]> {
        endpoint {
            GET("series")
            Query("match", selectors, as: .brackets)
        }
    }

    /// Returns the values of a label.
    func values(of label: String) -> Endpoint<[String]> {
        endpoint { GET("label/\(label)/values") }
    }

    /// The scraped targets.
    var targets: Endpoint<[Target]> {
        endpoint {
            GET("targets")
            Envelope("data", "activeTargets")
        }
    }
}

extension PrometheusAPI {
    /// The status in a response body.
    enum Status: String, Decodable, Sendable {
        case success, error
    }

    struct RangeQuery: Encodable, Sendable {
        var query: String
        var start: Date
        var end: Date
        /// The step between values, in seconds.
        var step: Double
        /// The timeout, in seconds; nil for the server's default.
        var timeout: Double?
    }

    struct Target: Decodable, Sendable {
        let labels: [String: String]
        let scrapeUrl: URL
        let health: String
        let lastScrape: Date
    }

    /// The result of an expression, decoded by the type in the response.
    enum QueryResult: Decodable, Sendable {
        /// A number.
        case scalar(Sample)
        /// One number per series.
        case vector([Series])
        /// Numbers over time, per series.
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

    /// A series: its labels and one or more samples.
    struct Series: Decodable, Sendable {
        let metric: [String: String]
        let value: Sample?
        let values: [Sample]?
    }

    /// A number at a time, encoded as `[1795233987.064,"1"]`.
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

/// The body of a failed Prometheus response.
struct PrometheusProblem: Decodable, Sendable {
    let status: PrometheusAPI.Status
    let errorType: String
    let error: String
}
