import Foundation

extension Reply {
    /// The failure that the status, or an error in the body, says there is; nil where the call succeeded.
    ///
    /// - Parameter request: what was sent, for the secrets in it.
    func failure(of plan: Plan, request: HTTPRequest) -> StatusFailure? {
        let isSuccess = plan.isSuccess(status)
        let problem = problem(of: plan)
        guard !isSuccess || problem != nil else { return nil }
        var failure = StatusFailure(
            call: call(of: plan),
            status: status,
            headerFields: headerFields,
            body: body,
            isBodyTruncated: isBodyTruncated,
            problem: problem,
            excerpt: problem.map { BodyExcerpt.text(of: $0, in: self, request: request) }
                ?? BodyExcerpt(of: self, request: request).text
        )
        failure.decoder = plan.decoder
        return failure
    }

    /// The first declared problem that the body is.
    private func problem(of plan: Plan) -> (any Sendable)? {
        guard let rules = plan.settings[ProblemRules.self]?.rules, !body.isEmpty else { return nil }
        for rule in rules where rule.applies(to: status, contentType: headerFields[.contentType]) {
            var extraction = Extraction()
            extraction.extras = [rule.extra]
            // A body of another shape is no error here: it stays in the failure as bytes.
            let result = try? extraction.decode(Ignored.self, from: body, with: plan.decoder)
            if let problem = result?.extras.first ?? nil { return problem }
        }
        return nil
    }
}
