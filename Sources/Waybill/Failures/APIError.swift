/// The error of a call: the step that failed, and all that is known about it.
///
/// Every method of Waybill that can fail throws this type and no other, so that a caller can switch over it without
/// casts:
///
/// ```swift
/// do throws(APIError) {
///     let lamp = try await shop.products.read(7)
/// } catch {
///     switch error {
///     case .status(let failure) where failure.isNotFound: showEmpty()
///     case .status(let failure): show(failure.problem(as: ShopProblem.self)?.message)
///     case .transport, .timeout: showOffline()
///     case .cancelled: break
///     default: report(error)
///     }
/// }
/// ```
///
/// Its description has the request, the response and the place of the error; it never contains a secret.
public indirect enum APIError: Error, Sendable {
    /// The request could not be built; nothing was sent.
    case request(RequestFailure)
    /// No credential was available, or it could not be renewed.
    case authorization(AuthorizationFailure)
    /// A limit on calls, or an open circuit, held it back; this attempt sent nothing.
    case rejected(RejectedFailure)
    /// No usable response came.
    case transport(TransportFailure)
    /// The declared time ran out.
    case timeout(TimeoutFailure)
    /// The calling task was cancelled.
    case cancelled(CancelledFailure)
    /// A response came, and its status, or an error in its body, means that the call failed.
    case status(StatusFailure)
    /// The body of the response does not match the declaration.
    case decoding(DecodingFailure)
    /// A page came, and the way to the next one is broken.
    case pagination(PaginationFailure)
    /// A batch came back, and some of its items failed.
    case items(ItemsFailure)
    /// The response could not be saved in a file.
    case download(DownloadFailure)
    /// A resumable upload cannot go on.
    case upload(UploadFailure)
    /// A middleware stopped the call with an error of its own.
    case middleware(MiddlewareFailure)
}

extension APIError {
    /// The call that failed.
    public var call: FailedCall {
        get { failure.call }
        set {
            switch self {
            case .request(var failure): failure.call = newValue; self = .request(failure)
            case .authorization(var failure): failure.call = newValue; self = .authorization(failure)
            case .rejected(var failure): failure.call = newValue; self = .rejected(failure)
            case .transport(var failure): failure.call = newValue; self = .transport(failure)
            case .timeout(var failure): failure.call = newValue; self = .timeout(failure)
            case .cancelled(var failure): failure.call = newValue; self = .cancelled(failure)
            case .status(var failure): failure.call = newValue; self = .status(failure)
            case .decoding(var failure): failure.call = newValue; self = .decoding(failure)
            case .pagination(var failure): failure.call = newValue; self = .pagination(failure)
            case .items(var failure): failure.call = newValue; self = .items(failure)
            case .download(var failure): failure.call = newValue; self = .download(failure)
            case .upload(var failure): failure.call = newValue; self = .upload(failure)
            case .middleware(var failure): failure.call = newValue; self = .middleware(failure)
            }
        }
    }

    /// The cursor of the page that failed: paging again from it asks for that page again.
    ///
    /// Nil for a call that is not a page, and for the first page.
    public var cursor: Cursor? { call.cursor }

    /// The status of the response; nil if none came.
    public var status: HTTPResponse.Status? {
        switch self {
        case .status(let failure): failure.status
        case .decoding(let failure): failure.status
        case .pagination(let failure): failure.status
        case .items(let failure): failure.status
        case .request, .authorization, .rejected, .transport, .timeout, .cancelled, .download, .upload, .middleware: nil
        }
    }

    /// Returns the typed body of a failed response, if it has that type; see ``Problem``.
    public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? {
        if case .status(let failure) = self { failure.problem(as: type) } else { nil }
    }

    /// Whether the resource does not exist: 404 or 410.
    public var isNotFound: Bool {
        if case .status(let failure) = self { failure.isNotFound } else { false }
    }

    private var failure: any CallFailure {
        switch self {
        case .request(let failure): failure
        case .authorization(let failure): failure
        case .rejected(let failure): failure
        case .transport(let failure): failure
        case .timeout(let failure): failure
        case .cancelled(let failure): failure
        case .status(let failure): failure
        case .decoding(let failure): failure
        case .pagination(let failure): failure
        case .items(let failure): failure
        case .download(let failure): failure
        case .upload(let failure): failure
        case .middleware(let failure): failure
        }
    }
}

extension APIError: CustomStringConvertible {
    /// The request, the response and the place of the error, for a log; an alert shows ``errorDescription``.
    ///
    /// Secrets are redacted.
    public var description: String { failure.description }
}

/// The common parts of the cases of ``APIError``.
protocol CallFailure: Sendable, CustomStringConvertible {
    /// The call that failed.
    var call: APIError.FailedCall { get set }
}
