import WaybillSystem

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
    /// A page came, but the walk cannot continue from it.
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
            var failure = failure
            failure.call = newValue
            self = failure.apiError
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
        case .middleware(let failure): failure.status
        default: nil
        }
    }

    /// Returns the typed body of a failed response, if it has that type; see ``Problem``.
    public func problem<Value: Sendable>(as type: Value.Type = Value.self) -> Value? {
        if case .status(let failure) = self { failure.problem(as: type) } else { nil }
    }

    /// Whether the resource does not exist: 404 or 410, also if a middleware threw an error of its own for it.
    public var isNotFound: Bool {
        switch self {
        case .status(let failure): failure.isNotFound
        case .middleware(let failure): failure.isNotFound
        default: false
        }
    }

    /// The failure of the case.
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
    /// The request, the response and the place of the error, for a log; an alert shows ``errorDescription``.
    ///
    /// Secrets are redacted.
    public var description: String { failure.description }

    /// The first line of the ``description``, which has the call and what came of it; secrets redacted.
    ///
    /// ```swift
    /// log(error.summary)      // GET products/{} failed: 404 Not Found
    /// ```
    ///
    /// For a body that does not decode, the place and the reason follow: `…does not decode as Product: name
    /// (line 1, column 9): expected a string, found null`.
    ///
    /// It is for lines of logs. Control characters, with which a server could forge a line, are spaces.
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
    /// A short sentence for a person, such as "The server cannot be reached.", without a URL, a template or bytes.
    ///
    /// It is what `localizedDescription` gives, for alerts; ``description`` has everything else. A problem that is a
    /// `LocalizedError` speaks for itself, as ``Problem/Details`` does with its `detail`, and so does the reason of a
    /// middleware or of a credential's source.
    ///
    /// All other sentences are looked up in the table `Waybill` of the app's main bundle, with the English sentence as
    /// the key: a file `Waybill.strings` or `Waybill.xcstrings` in the app translates or replaces them.
    public var errorDescription: String? { failure.ownSentence.map { call.redacted($0) } ?? failure.sentence.text }
}

/// The failure in a case of ``APIError``, whose texts are made of what it states here.
protocol CallFailure: Sendable, CustomStringConvertible, CustomReflectable {
    /// The call that failed.
    var call: APIError.FailedCall { get set }

    /// The error whose case has the failure.
    var apiError: APIError { get }

    /// The words after the call in the first line of the description; secrets redacted.
    var outcome: String { get }

    /// The last lines of the description; secrets redacted.
    var details: [String] { get }

    /// The properties that a dump shows after the call; secrets redacted.
    var properties: [Mirror.Child] { get }

    /// The failure in a few words, for the description of the attempt that failed after it.
    var brief: String { get }

    /// The sentence for a person.
    var sentence: ErrorSentence { get }

    /// The sentence of the app's or the server's own error; nil if it has none.
    var ownSentence: String? { get }
}

extension CallFailure {
    var details: [String] { [] }
    var properties: [Mirror.Child] { [] }
    var ownSentence: String? { nil }

    /// The request, the response and the place of the error; secrets redacted.
    public var description: String { text }

    /// The description as it is put together.
    var text: String {
        (["\(call) \(outcome)", call.detail] + details.map { $0.isEmpty ? "" : "  \($0)" }).joined(separator: "\n")
    }

    /// The parts of the failure, secrets redacted.
    public var customMirror: Mirror {
        Mirror(self, children: [("call", call)] + properties, displayStyle: .struct)
    }
}
