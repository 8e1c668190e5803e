import WaybillSystem

extension TransportError: LocalizedError {
    /// A short sentence for users, without an address; ``description`` has the details.
    public var errorDescription: String? { kind.sentence.text }
}

extension TransportError.Kind {
    /// The sentence for users.
    fileprivate var sentence: ErrorSentence {
        switch self {
        case .cannotResolveHost, .cannotConnect: .cannotBeReached
        case .secureConnectionFailed: .secureConnection
        case .connectionLost: .connectionLost
        case .timedOut: .tooSlow
        case .cancelled: .cancelled
        case .invalidResponse, .tooManyRedirects, .redirectLoop, .redirectRejected: .unreadableResponse
        case .headTooLarge, .bodyTooLarge: .tooLargeResponse
        case .unsupportedRequest, .unavailable: .notMade
        case .other: .failed
        }
    }
}
