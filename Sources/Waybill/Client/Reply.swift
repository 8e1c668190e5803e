import Foundation

/// A response whose body has been read.
package struct Reply: Sendable {
    package let status: HTTPResponse.Status
    package let headerFields: HTTPFields
    package let url: HTTPURL
    package let body: Data
    package var trailerFields: HTTPFields = []
    package var isBodyTruncated = false
    package var attempt = 1
    package var earlierFailures: [APIError] = []
    package var retryRefusal: RetryRefusal?

    /// What was sent, with its credential: for taking its secrets out of texts.
    package var request: HTTPRequest?

    /// The secrets of the request that was sent, which the response may repeat.
    package func secrets(of plan: Plan) -> any CallSecrets { request?.sentSecrets ?? plan.secrets }

    /// The call that was answered, as an error describes it.
    package func call(of plan: Plan) -> FailedCall {
        var call = plan.failedCall(attempt: attempt)
        call.earlierFailures = earlierFailures
        call.retryRefusal = retryRefusal
        call.secrets = secrets(of: plan)
        return call
    }
}

extension Reply {
    /// A response whose body has been read.
    init(_ response: HTTPResponse, of plan: Plan) {
        self.init(
            status: response.status,
            headerFields: response.headerFields,
            url: response.url ?? plan.url,
            body: response.body.bytes ?? Data(),
            trailerFields: response.body.trailerFields,
            isBodyTruncated: response.isBodyTruncated,
            attempt: response.attempt,
            earlierFailures: response.earlierFailures.compactMap { $0 as? APIError },
            retryRefusal: response.retryRefusal as? RetryRefusal,
            request: response.request
        )
    }
}
