import WaybillJSON
import WaybillSystem

extension Reply {
    /// Returns the failure that the status, or an error in the body, means; nil if the call succeeded.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - request: the request as it was sent, for the secrets in it.
    ///   - isJSON: whether the body is JSON, whatever the media type of the response is.
    /// - Returns: the failure; nil if the call succeeded.
    func failure(of plan: Plan, request: CallRequest, isJSON: Bool = false) -> APIError.StatusFailure? {
        let isSuccess = plan.isSuccess(status)
        let problem = problem(of: plan, isJSON: isJSON)
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
    private func problem(
        of plan: Plan,
        isJSON: Bool
    ) -> (value: any Sendable, equivalentStatus: HTTPResponse.Status?)? {
        guard let rules = plan.settings[ProblemRules.self]?.rules, !body.isEmpty else { return nil }
        let contentType = headerFields[.contentType]
        let media = contentType.map(MediaType.init)
        lazy var hasJSON = isJSON || media?.isJSON ?? true || JSONText.isContainer(body)
        for rule in rules where rule.applies(to: status, contentType: contentType) {
            if let read = rule.text, !isJSON, !FirstLine.isHTML(body, media) || !rule.contentTypes.isEmpty,
                let text = (try? BodyText.text(of: self, plan)) ?? nil
            {
                if let problem = read(text) { return (problem, rule.equivalentStatus(problem)) }
                continue
            }
            guard !rule.contentTypes.isEmpty || hasJSON else { continue }
            var extraction = Extraction()
            extraction.extras = [rule.extra]
            // A body of another shape is no error here: it stays in the failure as bytes.
            let result = try? extraction.decode(IgnoredValue.self, from: body, with: plan.decoder)
            if let problem = result?.extras.first ?? nil { return (problem, rule.equivalentStatus(problem)) }
        }
        return nil
    }
}
