import Foundation

/// A response whose body has been read.
package struct Reply: Sendable {
    package let status: HTTPResponse.Status
    package let headerFields: HTTPFields
    package let url: URL
    package let body: Data
    package var trailerFields: HTTPFields = []
    package var isBodyTruncated = false
    package var attempt = 1
    package var earlierFailures: [APIError] = []

    /// The call that was answered, as an error describes it.
    package func call(of plan: Plan) -> FailedCall {
        var call = plan.failedCall(attempt: attempt)
        call.earlierFailures = earlierFailures
        return call
    }
}
