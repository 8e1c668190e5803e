import Foundation
import Waybill

/// The cases of http-tests/cache-tests that apply to a user agent's cache, and their results.
struct CacheSuite {
    /// The importance of a case.
    enum Kind: String {
        case required, optimal, check
    }

    /// The result of a case, in the suite's terms.
    enum Result: String {
        /// The case holds; for a check, the behavior is present.
        case pass
        /// The case does not hold; for a check, the behavior is absent.
        case fail
        /// The exchanges that precede the case's assertions did not happen.
        case setup
        /// A case that this one depends on did not pass.
        case dependency
        case untested
    }

    struct Case {
        let id: String
        let group: String
        let kind: Kind
        let dependencies: [String]
        let requests: [JSONValue]
    }

    let cases: [Case]

    init(_ suite: SharedSuite) throws {
        let groups = try suite.document("tests.json").arrayValue ?? []
        cases = groups.flatMap { group in
            (group["tests"]?.arrayValue ?? []).compactMap { test in
                // Cases for shared caches and intermediaries do not apply to a private cache.
                guard test["cdn_only"]?.boolValue != true, test["browser_skip"]?.boolValue != true else { return nil }
                return Case(
                    id: test["id"]?.stringValue ?? "",
                    group: group["id"]?.stringValue ?? "",
                    kind: Kind(rawValue: test["kind"]?.stringValue ?? "required") ?? .required,
                    dependencies: (test["depends_on"]?.arrayValue ?? []).compactMap(\.stringValue),
                    requests: test["requests"]?.arrayValue ?? []
                )
            }
        }
    }

    /// The outcome of a single case, without its dependencies.
    enum Outcome: Equatable {
        case held
        case failed(String)
        case notSetUp(String)
    }

    /// Returns the results of the cases, taking their dependencies into account.
    func results(of outcomes: [String: Outcome]) -> [String: Result] {
        let byID = Dictionary(cases.map { ($0.id, $0) }) { first, _ in first }
        var results: [String: Result] = [:]
        func result(of id: String) -> Result {
            if let known = results[id] { return known }
            guard let test = byID[id], let outcome = outcomes[id] else { return .untested }
            var own: Result =
                switch outcome {
                case .held: .pass
                case .failed: .fail
                case .notSetUp: .setup
                }
            if test.dependencies.contains(where: { result(of: $0) != .pass }) { own = .dependency }
            results[id] = own
            return own
        }
        for test in cases { _ = result(of: test.id) }
        return results
    }

    /// Returns the outcomes in a browser's published results.
    func outcomes(of published: JSONValue) -> [String: Outcome] {
        (published.objectValue ?? [:]).mapValues { value in
            if value.boolValue == true { return .held }
            let text = value[1]?.stringValue ?? ""
            return value[0]?.stringValue == "Setup" ? .notSetUp(text) : .failed(text)
        }
    }

    /// Returns the number of passed cases of the given kind.
    func passed(_ kind: Kind, in results: [String: Result]) -> Int {
        cases.count { $0.kind == kind && results[$0.id] == .pass }
    }
}
