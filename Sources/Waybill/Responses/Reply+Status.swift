#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Reply {
    /// Returns the failure that the status, or an error in the body, means; nil if the call succeeded.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - request: the request as it was sent, for the secrets in it.
    /// - Returns: the failure; nil if the call succeeded.
    func failure(of plan: Plan, request: CallRequest) -> APIError.StatusFailure? {
        let isSuccess = plan.isSuccess(status)
        let problem = problem(of: plan)
        guard !isSuccess || problem != nil else { return nil }
        var failure = APIError.StatusFailure(
            call: call(of: plan),
            status: status,
            headerFields: headerFields,
            body: body,
            isBodyTruncated: isBodyTruncated,
            problem: problem?.value,
            excerpt: problem.map { BodyExcerpt.text(of: $0.value, in: self, request: request) }
                ?? BodyExcerpt(of: self, request: request).text
        )
        failure.equivalentStatus = problem?.equivalentStatus
        failure.decoder = plan.decoder
        return failure
    }

    /// Returns the first declared problem that fits the body.
    private func problem(of plan: Plan) -> (value: any Sendable, equivalentStatus: HTTPResponse.Status?)? {
        guard let rules = plan.settings[ProblemRules.self]?.rules, !body.isEmpty else { return nil }
        for rule in rules where rule.applies(to: status, contentType: headerFields[.contentType]) {
            var extraction = Extraction()
            extraction.extras = [rule.extra]
            // A body of another shape is no error here: it stays in the failure as bytes.
            let result = try? extraction.decode(IgnoredValue.self, from: body, with: plan.decoder)
            if let problem = result?.extras.first ?? nil { return (problem, rule.equivalentStatus(problem)) }
        }
        return nil
    }
}
