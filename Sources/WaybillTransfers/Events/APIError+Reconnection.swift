import Waybill
import WaybillSystem

extension APIError {
    /// Whether an event stream can recover from the error with a new connection, because its cause may be temporary.
    var allowsReconnection: Bool {
        switch self {
        case .transport(let failure): failure.error.allowsReconnection
        // Either nothing was sent, or only one connection timed out.
        case .rejected, .timeout: true
        case .authorization(let failure): Self.isTransient(failure.underlying)
        case .middleware(let failure): Self.isTransient(failure.underlying)
        case .request, .cancelled, .status, .decoding, .pagination, .items, .download, .upload: false
        }
    }

    /// Whether the error of a credential source or a middleware may be temporary.
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
    /// Whether a new connection may succeed, because the network rather than the response caused the error.
    fileprivate var allowsReconnection: Bool {
        switch kind {
        case .notConnected, .cannotResolveHost, .cannotConnect, .connectionLost, .timedOut: true
        case .unsupportedRequest, .secureConnectionFailed, .cancelled, .invalidResponse, .headTooLarge, .bodyTooLarge,
            .tooManyRedirects, .redirectLoop, .redirectRejected, .unavailable, .other:
            false
        }
    }
}
