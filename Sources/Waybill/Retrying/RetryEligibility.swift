/// The rules for failures that are worth another attempt, and for requests that may be sent again.
enum RetryEligibility {
    /// Whether trying again may help.
    static func mayHelp(_ error: APIError) -> Bool {
        guard case .transport(let failure) = error else { return false }
        switch failure.error.kind {
        case .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut: return true
        // The cause of these is there the next time too, or is not known.
        case .unsupportedRequest, .secureConnectionFailed, .cancelled, .invalidResponse, .headTooLarge, .bodyTooLarge,
            .tooManyRedirects, .redirectLoop, .redirectRejected, .unavailable, .other:
            return false
        }
    }

    /// Returns the reason for which a failed request is not sent again; nil if it may be.
    static func rejection(
        of request: CallRequest,
        after error: APIError,
        methods: Set<HTTPRequest.Method>,
        key: HTTPField.Name?,
        hasLeftOrigin: Bool
    ) -> APIError.RetryRejection? {
        let wasSent = wasSent(error)
        // A key is left behind if a redirect leads to another origin.
        let isKnown = !hasLeftOrigin && hasKey(request, key)
        guard !wasSent || methods.contains(request.method) || isKnown else { return .notIdempotent }
        return request.body?.isReplayable ?? true ? nil : .bodyIsNotReplayable
    }

    /// Whether a server may have seen some of the request.
    static func wasSent(_ error: APIError) -> Bool {
        guard case .transport(let failure) = error, !failure.isBehindRedirect, !failure.error.mayBeSent else {
            return true
        }
        if let phase = failure.error.phase { return !phase.isBeforeSending }
        return ![.cannotResolveHost, .cannotConnect].contains(failure.error.kind)
    }

    private static func hasKey(_ request: CallRequest, _ declared: HTTPField.Name?) -> Bool {
        [declared, IdempotencyKey.usualName].contains { name in
            guard let name, let value = request.headerFields[name] else { return false }
            return !value.isEmpty
        }
    }

    /// Whether a failure is that the transport has waited too long.
    static func isTimeout(_ error: APIError) -> Bool {
        if case .transport(let failure) = error { failure.error.kind == .timedOut } else { false }
    }
}
