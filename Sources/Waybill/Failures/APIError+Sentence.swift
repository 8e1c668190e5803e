import WaybillSystem

extension APIError: LocalizedError {
    /// A short sentence for a person, such as "The server cannot be reached.", without a URL, a template or bytes.
    ///
    /// It is what `localizedDescription` gives, for alerts; ``description`` has everything else. A problem that is a
    /// `LocalizedError` speaks for itself, as ``Problem/Details`` does with its `detail`, and so does the reason of a
    /// middleware or of a credential's source.
    ///
    /// All other sentences are looked up in the table `Waybill` of the app's main bundle, with the English sentence as
    /// the key: a file `Waybill.strings` or `Waybill.xcstrings` in the app translates or replaces them.
    public var errorDescription: String? { ownSentence.map { call.redacted($0) } ?? sentence.text }

    /// The sentence of a type of the app or of the server.
    private var ownSentence: String? {
        switch self {
        case .status(let failure): failure.problem.flatMap(ProblemText.sentence)
        case .items(let failure) where failure.items.count == 1: failure.items.first?.ownSentence
        case .middleware(let failure): (failure.underlying as? any LocalizedError)?.errorDescription
        case .authorization(let failure): failure.ownSentence
        case .transport(let failure): failure.error.errorDescription
        default: nil
        }
    }

    private var sentence: ErrorSentence {
        switch self {
        case .request: .notMade
        case .authorization: .notSignedIn
        case .rejected(let failure): failure.sentence
        case .transport, .middleware: .failed
        case .timeout: .tooSlow
        case .cancelled: .cancelled
        case .status(let failure): failure.sentence
        case .decoding: .unreadableResponse
        case .pagination: .incompleteList
        case .items: .failedItems
        case .download: .notSaved
        case .upload: .incompleteUpload
        }
    }
}

extension APIError.AuthorizationFailure {
    /// The sentence of the credential's error, unless it means that the user has to sign in.
    fileprivate var ownSentence: String? {
        switch underlying {
        // OAuth 2.0 answers an expired grant with 400 (RFC 6749, section 5.2).
        case APIError.status(let failure)
        where [400, 401, 403].contains((failure.equivalentStatus ?? failure.status).code):
            nil
        case let error as APIError: error.errorDescription
        case is CancellationError: ErrorSentence.cancelled.text
        // Of a source that asks another server by itself.
        case is any URLLoadingError: ErrorSentence.cannotBeReached.text
        default: (underlying as? any LocalizedError)?.errorDescription
        }
    }
}

extension APIError.RejectedFailure {
    fileprivate var sentence: ErrorSentence {
        switch reason {
        case .tooManyWaiting, .rateLimited(_, _, .deadline): .tooManyRequests
        case .rateLimited(_, _, .longestWait): .busyServer
        case .circuitOpen: .unavailableServer
        }
    }
}

extension APIError.StatusFailure {
    fileprivate var sentence: ErrorSentence {
        switch (equivalentStatus ?? status).code {
        case 401: .notSignedIn
        case 403: .notAllowed
        case 404, 410: .notFound
        case 408, 504: .tooSlow
        case 409: .conflict
        case 412, 428: .changedMeanwhile
        case 413: .tooLargeRequest
        case 429: .tooManyRequests
        case 400..<500: .rejected
        case 503: .unavailableServer
        case 500..<600: .serverFault
        case 200..<300: .reportedError
        default: .unreadableResponse
        }
    }
}

extension APIError.ItemsFailure.Item: LocalizedError {
    /// The problem's own sentence if it is a `LocalizedError`, or else one for any item.
    public var errorDescription: String? { ownSentence ?? ErrorSentence.failedItem.text }

    fileprivate var ownSentence: String? { ProblemText.sentence(of: problem) }
}
