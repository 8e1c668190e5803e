import WaybillSystem

/// A response whose body has been read.
package struct Reply: Sendable {
    package let status: HTTPResponse.Status
    package var headerFields: HTTPFields
    package let url: URL
    package var body: Data

    /// The body as it came, if ``body`` is merged over what was sent.
    package var unmerged: Data?
    package var trailerFields: HTTPFields = []
    package var isBodyTruncated = false
    package var attempt = 1
    package var earlierFailures: [APIError] = []
    package var retryRejection: APIError.RetryRejection?

    /// Returns the file and the line of the response; nil if it was not recorded.
    package var recordingPlace: (@Sendable () -> String)?

    /// The request as it was sent, with its credential: its secrets are removed from texts.
    package var request: CallRequest?

    /// Returns the secrets of the request that was sent, which the response may repeat.
    package func secrets(of plan: Plan) -> CallSecrets { request?.secrets ?? plan.secrets }

    /// Returns the call of this reply, as an error describes it.
    package func call(of plan: Plan) -> APIError.FailedCall {
        var call = plan.failedCall(attempt: attempt)
        call.earlierFailures = earlierFailures
        call.retryRejection = retryRejection
        call.recordingPlace = recordingPlace
        call.secrets = secrets(of: plan)
        return call
    }
}

extension Reply {
    /// Creates a reply from a response whose body has been read.
    init(_ response: CallResponse, of plan: Plan) {
        self.init(
            status: response.status,
            headerFields: response.headerFields,
            url: response.url ?? plan.url,
            body: response.body.bytes ?? Data(),
            trailerFields: response.body.trailerFields,
            isBodyTruncated: response.isBodyTruncated,
            attempt: response.attempt,
            earlierFailures: response.earlierFailures,
            retryRejection: response.retryRejection,
            recordingPlace: response.report?.recordingPlace,
            request: response.request
        )
    }
}
