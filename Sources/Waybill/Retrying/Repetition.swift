/// Which failures are worth another attempt, and which requests may be sent again.
enum Repetition {
    /// Whether trying again may help.
    static func mayHelp(_ error: APIError) -> Bool {
        guard case .transport(let failure) = error else { return false }
        switch failure.error.kind {
        case .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut: return true
        // Whatever these come from is there the next time too, or is not known.
        case .unsupportedRequest, .secureConnectionFailed, .cancelled, .invalidResponse, .headTooLarge, .bodyTooLarge,
            .tooManyRedirects, .redirectLoop, .redirectRefused, .unavailable, .other:
            return false
        }
    }

    /// Why a request that failed is not sent again; nil where it may be.
    static func refusal(
        of request: HTTPRequest,
        after error: APIError,
        methods: Set<HTTPRequest.Method>,
        key: HTTPField.Name?,
        hasLeftOrigin: Bool
    ) -> RetryRefusal? {
        let wasSent = wasSent(error)
        // A key is left behind where a redirect leads to another origin.
        let isKnown = !hasLeftOrigin && hasKey(request, key)
        guard !wasSent || methods.contains(request.method) || isKnown else { return .notIdempotent }
        return request.body?.isReplayable ?? true ? nil : .bodyIsNotReplayable
    }

    /// Whether a server may have seen some of the request.
    private static func wasSent(_ error: APIError) -> Bool {
        guard case .transport(let failure) = error, !failure.error.isBehindRedirect, !failure.error.mayBeSent else {
            return true
        }
        if let phase = failure.error.phase { return !phase.isBeforeSending }
        return ![.cannotResolveHost, .cannotConnect].contains(failure.error.kind)
    }

    private static func hasKey(_ request: HTTPRequest, _ declared: HTTPField.Name?) -> Bool {
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
