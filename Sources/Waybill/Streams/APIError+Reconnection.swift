import WaybillSystem

extension APIError {
    /// Whether another connection of an event stream may succeed after the error: its cause passes by itself.
    var allowsReconnection: Bool {
        switch self {
        case .transport(let failure): failure.error.allowsReconnection
        // Nothing was sent, or the time of one connection is over.
        case .rejected, .timeout: true
        case .authorization(let failure): Self.isTransient(failure.underlying)
        case .middleware(let failure): Self.isTransient(failure.underlying)
        case .request, .cancelled, .status, .decoding, .pagination, .items, .download, .upload: false
        }
    }

    /// Whether the error of a credential's source, or of a middleware, passes by itself.
    private static func isTransient(_ error: any Error) -> Bool {
        let statuses = HTTPResponse.StatusSet.serverErrors.union([408, 425, 429])
        return switch error {
        case APIError.status(let failure): statuses.contains(failure.status)
        case let error as APIError: error.allowsReconnection
        case let error as TransportError: error.allowsReconnection
        case is any URLLoadingError, is RefreshingToken.TooManyWaiting: true
        default: false
        }
    }
}

extension TransportError {
    /// Whether another connection may succeed: the network, and not the response, is the cause.
    fileprivate var allowsReconnection: Bool {
        switch kind {
        case .notConnected, .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut: true
        case .unsupportedRequest, .secureConnectionFailed, .cancelled, .invalidResponse, .headTooLarge, .bodyTooLarge,
            .tooManyRedirects, .redirectLoop, .redirectRejected, .unavailable, .other:
            false
        }
    }
}
