import WaybillJSON
import WaybillSystem

/// A response whose body has been read.
package struct Reply: Sendable {
    package let status: HTTPResponse.Status
    package var headerFields: HTTPFields
    package let url: URL
    package var body: Data

    /// The body as received if ``body`` has been rewritten or merged over the request; otherwise nil.
    package var unmerged: Data?
    package var trailerFields: HTTPFields = []
    package var isBodyTruncated = false
    package var attempt = 1
    package var earlierFailures: [APIError] = []
    package var retryRejection: APIError.RetryRejection?

    /// Returns the file and line of the recorded response; nil if it was not recorded.
    package var recordingLocation: (@Sendable () -> String)?

    /// The request as sent, including its credential; its secrets are redacted in error texts.
    package var request: CallRequest?

    /// Creates the reply to a call's first attempt, without earlier failures.
    package init(status: HTTPResponse.Status, headerFields: HTTPFields, url: URL, body: Data) {
        self.status = status
        self.headerFields = headerFields
        self.url = url
        self.body = body
    }

    /// Returns the secrets of the sent request, which the response may have echoed.
    package func secrets(of plan: Call.Plan) -> CallSecrets { request?.secrets ?? plan.secrets }

    /// Returns a description of the reply's call for use in errors.
    package func call(of plan: Call.Plan) -> APIError.FailedCall {
        var call = plan.failedCall(attempt: attempt)
        call.earlierFailures = earlierFailures
        call.retryRejection = retryRejection
        call.recordingLocation = recordingLocation
        call.secrets = secrets(of: plan)
        return call
    }
}

extension Reply {
    /// Creates a reply from a response whose body has been read.
    package init(_ response: CallResponse, of plan: Call.Plan) {
        self.init(
            status: response.status,
            headerFields: response.headerFields,
            url: response.url ?? plan.url,
            body: response.body.bytes ?? Data()
        )
        trailerFields = response.body.trailerFields
        isBodyTruncated = response.isBodyTruncated
        attempt = response.attempt
        earlierFailures = response.earlierFailures
        retryRejection = response.retryRejection
        recordingLocation = response.report?.recordingLocation
        request = response.request
    }
}

extension Reply {
    /// Returns the failure indicated by the status or by a problem in the body; nil if the call succeeded.
    ///
    /// - Parameters:
    ///   - plan: the call's plan.
    ///   - request: the request as sent; its secrets are redacted.
    ///   - isJSON: whether to treat the body as JSON regardless of the response's media type.
    ///   - countsAsFailed: whether to treat a success status as a failure, using problems declared for that status or
    ///     for status 500.
    /// - Returns: the failure; nil if the call succeeded.
    package func failure(
        of plan: Call.Plan,
        request: CallRequest,
        isJSON: Bool = false,
        countsAsFailed: Bool = false
    ) -> APIError.StatusFailure? {
        let isSuccess = plan.isSuccess(status) && !countsAsFailed
        let problem = problem(of: plan, isJSON: isJSON, on: countsAsFailed ? [status, 500] : [status])
        guard !isSuccess || problem != nil else { return nil }
        var failure = APIError.StatusFailure(
            call: call(of: plan),
            status: status,
            headerFields: headerFields,
            body: body,
            isBodyTruncated: isBodyTruncated,
            problem: problem?.value,
            excerpt: problem.flatMap { BodyExcerpt.text(of: $0.value, in: self, request: request) }
                ?? BodyExcerpt(of: self, request: request).text
        )
        failure.equivalentStatus =
            problem?.equivalentStatus ?? plan.settings[ProblemRules.self]?.equivalent(of: status)
        failure.decoder = plan.decoder
        return failure
    }

    /// Returns the first declared problem that matches the body.
    private func problem(
        of plan: Call.Plan,
        isJSON: Bool,
        on statuses: [HTTPResponse.Status]
    ) -> (value: any Sendable, equivalentStatus: HTTPResponse.Status?)? {
        guard let rules = plan.settings[ProblemRules.self]?.rules, !body.isEmpty else { return nil }
        let contentType = headerFields[.contentType]
        lazy var media = contentType.map(MediaType.init)
        lazy var hasJSON = isJSON || media?.isJSON ?? true || JSONText.isContainer(body)
        for rule in rules where statuses.contains(where: { rule.applies(to: $0, contentType: contentType) }) {
            if let read = rule.text, !isJSON, !OneLineExcerpt.isHTML(body, media) || !rule.contentTypes.isEmpty,
                let text = (try? BodyText.text(of: self, plan)) ?? nil
            {
                if let problem = read(text) { return (problem, rule.equivalentStatus(problem)) }
                continue
            }
            guard !rule.contentTypes.isEmpty || hasJSON else { continue }
            var extraction = Extraction()
            extraction.extras = [rule.extra]
            // A body that does not match is not an error here: the failure contains its bytes.
            let result = try? extraction.decode(IgnoredValue.self, from: body, with: plan.problemDecoder)
            if let problem = result?.extras.first ?? nil { return (problem, rule.equivalentStatus(problem)) }
        }
        return nil
    }
}

extension Reply {
    /// Passes the body to the call's inspectors.
    ///
    /// Without inspectors, this costs a single lookup.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - extraction: the path and rules for decoding the value.
    ///   - extras: the side values, without the value itself and the declared metadata.
    ///   - plan: the call's plan.
    ///   - outcome: the outcome of decoding.
    package func inspect(
        _ type: any Decodable.Type,
        _ extraction: Extraction,
        extras: [Extraction.SideValue],
        plan: Call.Plan,
        outcome: @autoclosure () -> InspectedResponse.Outcome
    ) {
        guard let inspectors = plan.settings[CallObservers.self]?.inspectors, !inspectors.isEmpty else { return }
        for inspector in inspectors {
            inspector.inspect {
                let isOptional = extraction.treatsMissingListAsEmpty || extraction.treatsMissingValueAsNil
                let value = InspectedResponse.Part(
                    type: type,
                    path: extraction.path,
                    isRequired: !isOptional,
                    mayBeOnlyItem: extraction.treatsValueAsOnlyItem
                )
                // A list fetched without paging also contains the paging members.
                let scheme = Shape.isList(type) ? plan.settings[Paginated.self]?.scheme : nil
                return InspectedResponse(
                    method: plan.method,
                    template: plan.template,
                    settings: plan.settings,
                    body: extraction.rewritten(body) ?? unmerged ?? body,
                    parts: [value]
                        + (plan.metadataRules + extras).map {
                            .init(type: $0.type, path: $0.path, isRequired: $0.isRequired)
                        }
                        + (scheme?.reads ?? []).map { .init(type: JSONValue.self, path: $0, isRequired: false) },
                    outcome: outcome()
                )
            }
        }
    }
}
