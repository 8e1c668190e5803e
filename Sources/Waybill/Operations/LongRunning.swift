import WaybillSystem

/// Follows an operation that the server goes on with after its response, and returns its result.
///
/// ```swift
/// func makeReport(_ month: String) -> Endpoint<Report> {
///     endpoint {
///         POST("reports")
///         Body(["month": month])
///         LongRunning(
///             at: .field("Operation-Location"),
///             state: .member("status", running: ["queued", "running"], done: ["succeeded"], failed: ["failed"]),
///             result: .link(.member("result_url")),
///             progress: .percent(at: "percent")
///         )
///     }
/// }
/// let report = try await shop.makeReport("2026-11").send()
/// ```
///
/// The endpoint is called as any other. If the response names a status resource, that is requested until it says that
/// the operation is done, and the result is read. Between two requests the call waits for as long as `Retry-After`
/// says, else by `polling`. A response that names none is the result itself, unless it is 202.
///
/// The server's waits are bounded: a longer one than `longestWait` counts as that, and after one of less than a second,
/// the next ones last at least 0.1 s, 0.2 s, 0.4 s, 0.8 s and 1 s.
///
/// A failed operation is an ``APIError/status(_:)`` of the call, with the status resource as its body, and with the
/// problem that ``Problem`` declares for the status of the response or for failures. A state that is not declared, and
/// a missing URL, are an ``APIError/decoding(_:)``. ``Timeout`` limits each request, and `upTo` the whole operation.
///
/// The entity of a write comes from the result: ``WriteResult`` of another source is a declaration error beside it.
///
/// ``Endpoint/send(continuing:following:)`` has the progress, and continues an operation in another process.
public struct LongRunning: Setting {
    package let place: Place
    package let state: State
    package let result: Result
    package let progress: Progress?
    let polling: Retry.Backoff
    let longestWait: Duration
    let limit: Duration?
    package let cancellation: Cancellation?

    /// Declares an operation.
    ///
    /// - Parameters:
    ///   - place: the place of the URL of the status resource, in the response to the request.
    ///   - state: the meaning of a response of the status resource.
    ///   - result: the place of the result when the operation is done.
    ///   - progress: the place of the progress in the status resource; nil if it has none.
    ///   - polling: the waits between two requests for the status, if the server states none.
    ///   - longestWait: the longest wait that the server may set; a longer one, such as a date by mistake, counts as
    ///     this. A negative one is a declaration error: nothing is sent.
    ///   - limit: the longest time of the whole operation; nil for no limit.
    ///   - cancellation: the request that cancels the operation when the call is cancelled; nil if it goes on then.
    public init(
        at place: Place,
        state: State = .statusCode,
        result: Result = .status,
        progress: Progress? = nil,
        polling: Retry.Backoff = .exponential(from: .seconds(1), to: .seconds(30)),
        longestWait: Duration = .seconds(300),
        upTo limit: Duration? = nil,
        cancel cancellation: Cancellation? = nil
    ) {
        self.place = place
        self.state = state
        self.result = result
        self.progress = progress
        self.polling = polling
        self.longestWait = longestWait
        self.limit = limit
        self.cancellation = cancellation
    }

    /// An operation whose status is at `Location`: 202 while it runs, and then the result.
    public static let location = LongRunning(at: .field("Location"))

    /// An operation as Azure's services have it: its status at `Operation-Location` or `Azure-AsyncOperation`, with
    /// `status` and `percentComplete`, and its result at the URL of the request.
    ///
    /// States other than `Succeeded`, `Failed` and `Canceled` are those of running operations. A result that is
    /// elsewhere is declared with ``LongRunning/init(at:state:result:progress:polling:longestWait:upTo:cancel:)``.
    public static let azure = LongRunning(
        at: .field("Operation-Location", "Azure-AsyncOperation"),
        state: .member("status", running: nil, done: ["Succeeded"], failed: ["Failed", "Canceled"]),
        result: .request,
        progress: .percent(at: "percentComplete")
    )

    /// The place of the status and of the result.
    public var summary: String { "status at \(place), \(state), result \(result)" }

    /// Declares the operation.
    public func declare(in scope: inout Scope) {
        let reasons = [
            place.declarationError, state.declarationError, polling.declarationError, longestWaitError, limitError,
        ]
        for case let reason? in reasons {
            scope.declare(DeclarationError(clause: "LongRunning", value: summary, reason: reason))
        }
        scope.declare(self)
    }

    private var longestWaitError: String? {
        longestWait < .zero ? "a wait (longestWait:) cannot be negative; give zero or more" : nil
    }

    private var limitError: String? {
        limit.map { $0 <= .zero } ?? false ? "its limit is not positive; give a positive time, or nil" : nil
    }
}

extension LongRunning {
    /// A place at which a response names a URL.
    public struct Place: Sendable, CustomStringConvertible {
        package enum Form: Sendable {
            case fields([String])
            case member([EnvelopeKey])
            case path([EnvelopeKey], @Sendable (String) -> Route.Path)
        }

        package let form: Form

        /// A header field: the first of those that the response has.
        ///
        /// - Parameter names: the names of the fields.
        /// - Returns: the place.
        public static func field(_ names: String...) -> Self { Self(form: .fields(names)) }

        /// A member of the body, whose text is an absolute URL, or one that is relative to that of the response.
        ///
        /// - Parameter path: the keys and indices that lead to the member.
        /// - Returns: the place.
        public static func member(_ path: EnvelopeKey...) -> Self { Self(form: .member(path)) }

        /// A path below the client's base URL, with a value of the body in it: `.path(at: "id") { "jobs/\($0)" }`.
        ///
        /// - Parameters:
        ///   - keys: the keys and indices that lead to the value, a text or a number.
        ///   - path: returns the path for the value.
        /// - Returns: the place.
        public static func path(
            at keys: EnvelopeKey...,
            to path: @escaping @Sendable (String) -> Route.Path
        ) -> Self {
            Self(form: .path(keys, path))
        }

        var declarationError: String? {
            guard case .fields(let names) = form else { return nil }
            if names.isEmpty { return "it names no field; give one, such as .field(\"Location\")" }
            return names.first { HTTPField.Name($0) == nil }.map {
                "\($0.debugDescription) is not the name of a field; give letters, digits and hyphens"
            }
        }

        /// The place in words.
        public var description: String {
            switch form {
            case .fields(let names): names.joined(separator: " or ")
            case .member(let path), .path(let path, _): path.pathDescription
            }
        }
    }

    /// The meaning of a response of the status resource.
    public struct State: Sendable, CustomStringConvertible {
        package enum Form: Sendable {
            case statusCode
            case member([EnvelopeKey], running: [String]?, done: [String], failed: [String])
            case flag([EnvelopeKey], failure: [EnvelopeKey])
        }

        package let form: Form

        /// 202 while the operation runs; any other success when it is done.
        public static let statusCode = Self(form: .statusCode)

        /// A member of the body whose text is the state; the case of letters does not matter.
        ///
        /// - Parameters:
        ///   - path: the keys and indices that lead to the member.
        ///   - running: the states of an operation that goes on; nil for all that are not among the others. Any other
        ///     state is an error.
        ///   - done: the states of an operation with a result.
        ///   - failed: the states of an operation that failed or was cancelled.
        /// - Returns: the rule.
        public static func member(
            _ path: EnvelopeKey...,
            running: [String]?,
            done: [String],
            failed: [String]
        ) -> Self {
            Self(form: .member(path, running: running, done: done, failed: failed))
        }

        /// A member of the body that is true when the operation has ended, and another one that is there if it failed.
        ///
        /// - Parameters:
        ///   - path: the key of the member that is true or false; one that is missing counts as false.
        ///   - failure: the key of the member that is there, and not null, if the operation failed.
        /// - Returns: the rule.
        public static func flag(_ path: EnvelopeKey, failure: EnvelopeKey) -> Self {
            Self(form: .flag([path], failure: [failure]))
        }

        var declarationError: String? {
            guard case .member(_, _, let done, _) = form, done.isEmpty else { return nil }
            return "no state means that it is done; give one"
        }

        /// The rule in words.
        public var description: String {
            switch form {
            case .statusCode: "202 while it runs"
            case .member(let path, _, let done, _):
                "done if \(path.pathDescription) is \(done.joined(separator: " or "))"
            case .flag(let path, _): "done if \(path.pathDescription)"
            }
        }
    }

    /// The place of the result of an operation that is done.
    public struct Result: Sendable, CustomStringConvertible {
        package enum Form: Sendable {
            case status
            case member([EnvelopeKey])
            case link(Place)
            case request
        }

        package let form: Form

        /// The last response of the status resource, in the declared ``Envelope``.
        public static let status = Self(form: .status)

        /// A member of that response, in place of the declared envelope.
        ///
        /// - Parameter path: the keys and indices that lead to the member.
        /// - Returns: the place.
        public static func member(_ path: EnvelopeKey...) -> Self { Self(form: .member(path)) }

        /// Another resource, whose URL is in that response, or else in the response to the request.
        ///
        /// - Parameter place: the place of the URL.
        /// - Returns: the place.
        public static func link(_ place: Place) -> Self { Self(form: .link(place)) }

        /// The resource at the URL of the request, as after a PUT.
        public static let request = Self(form: .request)

        /// The place in words.
        public var description: String {
            switch form {
            case .status: "in the status"
            case .member(let path): "at \(path.pathDescription)"
            case .link(let place): "at the URL of \(place)"
            case .request: "at the URL of the request"
            }
        }
    }

    /// The place of the progress in the status resource.
    public struct Progress: Sendable {
        package let path: [EnvelopeKey]
        package let whole: Double

        /// A number from 0 to 1.
        public static func fraction(at path: EnvelopeKey...) -> Self { Self(path: path, whole: 1) }

        /// A number from 0 to 100.
        public static func percent(at path: EnvelopeKey...) -> Self { Self(path: path, whole: 100) }

        /// Returns the progress from 0 to 1; nil if the document has none.
        func fraction(in document: JSONValue?) -> Double? {
            guard let value = document?.value(at: path) else { return nil }
            return (value.doubleValue ?? value.stringValue.flatMap(Double.init)).map { min(1, max(0, $0 / whole)) }
        }
    }

    /// The request that cancels an operation.
    public struct Cancellation: Sendable, Hashable {
        package let method: HTTPRequest.Method
        package let suffix: String

        /// `DELETE` at the URL of the status.
        public static let delete = Self(method: .delete, suffix: "")

        /// `POST` at the URL of the status with a text behind its path, such as `/cancel` or `:cancel`.
        ///
        /// - Parameter suffix: the text, which is part of a path.
        /// - Returns: the request.
        public static func post(appending suffix: String) -> Self { Self(method: .post, suffix: suffix) }
    }
}

extension LongRunning: DeferringResult {
    package static var writeResultAdvice: String {
        "declare WriteResult(.response) for the result of the operation, and LongRunning(…, result: .request) beside it"
            + " to fetch the entity after an update or a patch"
    }
}
