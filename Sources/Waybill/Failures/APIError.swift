import Foundation

/// Why a call did not give what it promised: which step failed, and all there is to know about it.
///
/// Every method of Waybill that can fail throws this type and no other, so that a caller can switch over it without
/// casts:
///
/// ```swift
/// do {
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
/// Its description says what was asked, what came, and where it went wrong; it never contains a secret.
public indirect enum APIError: Error, Sendable {
    /// The request could not be built; nothing was sent.
    case request(RequestFailure)
    /// The credential could not be had; nothing was sent.
    case authorization(AuthorizationFailure)
    /// A limit on calls, or an open circuit, held it back; this attempt sent nothing.
    case refused(RefusedFailure)
    /// No usable response came.
    case transport(TransportFailure)
    /// The declared time ran out.
    case timeout(TimeoutFailure)
    /// The calling task was cancelled.
    case cancelled(CancelledFailure)
    /// A response came, and its status, or an error in its body, says that the call failed.
    case status(StatusFailure)
    /// A response came, and its body is not what was declared.
    case decoding(DecodingFailure)
    /// A page came, and the way to the next one is broken.
    case pagination(PaginationFailure)
    /// A batch came back, and some of its items failed.
    case items(ItemsFailure)
    /// A middleware gave up for a reason of its own.
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
            case .refused(var failure): failure.call = newValue; self = .refused(failure)
            case .transport(var failure): failure.call = newValue; self = .transport(failure)
            case .timeout(var failure): failure.call = newValue; self = .timeout(failure)
            case .cancelled(var failure): failure.call = newValue; self = .cancelled(failure)
            case .status(var failure): failure.call = newValue; self = .status(failure)
            case .decoding(var failure): failure.call = newValue; self = .decoding(failure)
            case .pagination(var failure): failure.call = newValue; self = .pagination(failure)
            case .items(var failure): failure.call = newValue; self = .items(failure)
            case .middleware(var failure): failure.call = newValue; self = .middleware(failure)
            }
        }
    }

    /// The cursor of the page that failed: paging again from it asks for that page again.
    ///
    /// Nil for a call that is no page, and for the first page.
    public var cursor: Cursor? { call.cursor }

    /// The status of the response, where one came.
    public var status: HTTPResponse.Status? {
        switch self {
        case .status(let failure): failure.status
        case .decoding(let failure): failure.status
        case .pagination(let failure): failure.status
        case .items(let failure): failure.status
        case .request, .authorization, .refused, .transport, .timeout, .cancelled, .middleware: nil
        }
    }

    /// The typed body of a failed response, where it is one of that type; see ``Problem``.
    public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? {
        if case .status(let failure) = self { failure.problem(as: type) } else { nil }
    }

    /// Whether the server says that there is no such thing: 404 or 410.
    public var isNotFound: Bool {
        if case .status(let failure) = self { failure.isNotFound } else { false }
    }

    private var failure: any CallFailure {
        switch self {
        case .request(let failure): failure
        case .authorization(let failure): failure
        case .refused(let failure): failure
        case .transport(let failure): failure
        case .timeout(let failure): failure
        case .cancelled(let failure): failure
        case .status(let failure): failure
        case .decoding(let failure): failure
        case .pagination(let failure): failure
        case .items(let failure): failure
        case .middleware(let failure): failure
        }
    }
}

extension APIError: CustomStringConvertible, LocalizedError {
    /// What was asked, what came, and where it went wrong.
    ///
    /// Secrets are redacted.
    public var description: String { failure.description }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

/// What the cases of ``APIError`` have in common.
protocol CallFailure: Sendable, CustomStringConvertible {
    /// The call that failed.
    var call: FailedCall { get set }
}
