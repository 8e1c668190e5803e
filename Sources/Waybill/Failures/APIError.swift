import WaybillSystem

/// An error thrown by a call, with the failed step and its details.
///
/// Calls throw only this type, so callers can switch over it without casts:
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
/// The description contains the request, the response and the cause of the failure. It never contains a secret.
public indirect enum APIError: Error, Sendable {
    /// The request could not be built; nothing was sent.
    case request(RequestFailure)
    /// A credential was unavailable or could not be renewed.
    case authorization(AuthorizationFailure)
    /// A limit on calls or an open circuit rejected the call; this attempt sent nothing.
    case rejected(RejectedFailure)
    /// No usable response was received.
    case transport(TransportFailure)
    /// The declared timeout expired.
    case timeout(TimeoutFailure)
    /// The calling task was cancelled.
    case cancelled(CancelledFailure)
    /// The response's status, or an error in its body, indicates that the call failed.
    case status(StatusFailure)
    /// The response's body does not match the declaration.
    case decoding(DecodingFailure)
    /// Pagination cannot start or continue.
    case pagination(PaginationFailure)
    /// Some items of a batch failed.
    case items(ItemsFailure)
    /// The response could not be saved to a file.
    case download(DownloadFailure)
    /// A resumable upload cannot continue.
    case upload(UploadFailure)
    /// A middleware stopped the call with its own error.
    case middleware(MiddlewareFailure)
}

extension APIError {
    /// The call that failed.
    public var call: FailedCall {
        get { failure.call }
        set {
            var failure = failure
            failure.call = newValue
            self = failure.apiError
        }
    }

    /// The cursor of the page that failed, for requesting that page again.
    ///
    /// It is nil for the first page and for calls without pagination.
    public var cursor: Cursor? { call.cursor }

    /// The status of the response; nil if there is no response.
    public var status: HTTPResponse.Status? {
        switch self {
        case .status(let failure): failure.status
        case .decoding(let failure): failure.status
        case .pagination(let failure): failure.status
        case .items(let failure): failure.status
        case .middleware(let failure): failure.status
        default: nil
        }
    }

    /// Returns the typed body of a failed response; see ``Problem``.
    ///
    /// - Parameter type: the type of the problem.
    /// - Returns: the problem; nil if the body has a different type or the error is not ``APIError/status(_:)``.
    public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? {
        if case .status(let failure) = self { failure.problem(as: type) } else { nil }
    }

    /// Whether the resource does not exist (404, 410 or an equivalent problem), even if a middleware replaced the
    /// error.
    public var isNotFound: Bool {
        switch self {
        case .status(let failure): failure.isNotFound
        case .middleware(let failure): failure.isNotFound
        default: false
        }
    }

    /// The associated value of the error's case.
    var failure: any CallFailure {
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
    /// A description of the request, the response and the failure, with secrets redacted.
    ///
    /// It is intended for logs. For text to show to users, see ``errorDescription``.
    public var description: String { failure.description }

    /// The first line of the ``description``: the call and its outcome, with secrets redacted.
    ///
    /// ```swift
    /// log(error.summary)      // GET products/{} failed: 404 Not Found
    /// ```
    ///
    /// If the body could not be decoded, it also contains the position and the reason:
    ///
    /// ```text
    /// …does not decode as Product: name (line 1, column 9): expected a string, found null
    /// ```
    ///
    /// It is intended for single-line log entries. Control characters, which a server could use to forge log lines, are
    /// replaced with spaces.
    public var summary: String {
        let text = if case .decoding(let failure) = self { failure.summary } else { description }
        let line = text.prefix { !$0.isNewline }
        return String(
            String.UnicodeScalarView(
                line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
            )
        )
    }
}

extension APIError: LocalizedError {
    /// A short sentence for users, such as "The server cannot be reached.", without URLs, templates or bytes.
    ///
    /// It is also the `localizedDescription`. If a problem, or the error of a middleware or a credential source, is a
    /// `LocalizedError`, its description is used, such as the `detail` of ``Problem/Details``.
    ///
    /// All other sentences are looked up in the strings table `Waybill` of the app's main bundle, using the English
    /// sentence as the key. To translate or replace them, add a `Waybill.strings` or `Waybill.xcstrings` file to the
    /// app.
    public var errorDescription: String? { failure.ownSentence.map { call.redacted($0) } ?? failure.sentence.text }
}

/// An associated value of ``APIError`` that provides the parts of its texts.
protocol CallFailure: Sendable, CustomStringConvertible, CustomReflectable {
    /// The call that failed.
    var call: APIError.FailedCall { get set }

    /// The error that contains this failure.
    var apiError: APIError { get }

    /// The text that follows the call in the first line of the description, with secrets redacted.
    var outcome: String { get }

    /// Additional lines at the end of the description, with secrets redacted.
    var details: [String] { get }

    /// The properties that follow the call in a dump, with secrets redacted.
    var properties: [Mirror.Child] { get }

    /// A short phrase for the failure, used when a later failure lists earlier attempts.
    var brief: String { get }

    /// The default sentence for users.
    var sentence: ErrorSentence { get }

    /// The sentence for users from the app's or the server's error; nil if that error provides none.
    var ownSentence: String? { get }
}

extension CallFailure {
    var details: [String] { [] }
    var properties: [Mirror.Child] { [] }
    var ownSentence: String? { nil }

    /// A description of the request, the response and the failure, with secrets redacted.
    public var description: String { text }

    /// The default description.
    var text: String {
        (["\(call) \(outcome)", call.detail] + details.map { $0.isEmpty ? "" : "  \($0)" }).joined(separator: "\n")
    }

    /// The properties of the failure, with secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: [("call", call)] + properties, displayStyle: .struct)
    }
}

// WaybillCaching also declares this property. Without its import, the message mentions the missing import.
extension APIError {
    /// Does not compile without `import WaybillCaching`, which declares the property.
    @available(*, unavailable, message: "add `import WaybillCaching`, the product of the cache")
    public var isNotCached: Bool { false }
}
