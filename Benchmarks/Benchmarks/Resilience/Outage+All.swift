import Waybill

extension Outage {
    /// The client behaviors to compare.
    static let all = [
        Outage("no retry") {},
        Outage("5 attempts, at once") {
            Retry(attempts: 5, backoff: .none)
            Retry.Budget.none
        },
        Outage("5 attempts, backoff") {
            Retry(attempts: 5)
            Retry.Budget.none
        },
        Outage("5 attempts, backoff, budget") { Retry(attempts: 5) },
        Outage("5 attempts, backoff, budget of 100") {
            Retry(attempts: 5)
            Retry.Budget(capacity: 100)
        },
    ]
}

extension Metric {
    /// The number of requests that reached the server before it recovered.
    static let requestsDuringOutage = Metric(name: "requests in the outage", decimals: 0)

    /// The total number of requests that reached the server.
    static let requests = Metric(name: "requests", decimals: 0)

    /// The maximum number of requests in one second.
    static let mostRequests = Metric(name: "most in a second", decimals: 0)

    /// The time until the last call succeeded, in seconds.
    static let secondsUntilAll = Metric(name: "seconds until all have succeeded", decimals: 1)
}

extension Case {
    /// The name of the case that runs in virtual time.
    static let outageName = "outage"

    /// An outage, with one subject per client behavior.
    static var outage: Case {
        Case(outageName, Outage.all.map(\.subject), rounds: 1)
    }
}

extension Outage {
    fileprivate var subject: Subject {
        Subject(name) {
            // A result exists only if all calls eventually succeeded.
            _ = try await course.value
            return true
        } measure: {
            let course = try await course.value
            return [
                Reading(metric: .requestsDuringOutage, value: Double(course.requestsDuringOutage)),
                Reading(metric: .requests, value: Double(course.requestsPerSecond.reduce(0, +))),
                Reading(metric: .mostRequests, value: Double(course.requestsPerSecond.max() ?? 0)),
                Reading(metric: .secondsUntilAll, value: course.end.inSeconds),
            ]
        }
    }
}
