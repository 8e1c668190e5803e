import Waybill
import WaybillSystem

/// A long-running operation, which the server continues after the initial response; the call returns its result.
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
/// The endpoint is called like any other. If the response names a status resource, the call requests that resource
/// until the operation is done, and then reads the result. Between requests, it waits as long as `Retry-After` states
/// or, without that field, as `polling` declares. A response without a status resource is the result itself, unless its
/// status is 202.
///
/// Waits requested by the server are bounded: the maximum is `maximumWait`, and after consecutive waits below one
/// second, the minimum rises from 0.1 s to 0.2 s, 0.4 s, 0.8 s and 1 s.
///
/// If the operation fails, the call throws an `APIError.status`. The error's body is the status resource, and its
/// problem is the one declared by `Problem` for the response's status or for failures. An undeclared state or a missing
/// URL causes an `APIError.decoding`. `Timeout` limits each request, and `timeout` limits the whole operation.
///
/// A write returns the operation's result, so a `WriteResult` other than `.response` is a declaration error.
///
/// `Endpoint.send(continuing:following:)` reports the progress, and continues an operation in another process.
///
/// If the client declares the clause for all calls, ``none`` turns it off for one of them.
public struct LongRunning: Setting {
    package let location: Location
    package let state: State
    package let result: Result
    package let progress: Progress?
    let polling: Retry.Backoff
    let maximumWait: Duration
    let timeout: Duration?
    package let cancellation: Cancellation?
    private let isOn: Bool

    /// Declares an operation.
    ///
    /// - Parameters:
    ///   - location: the location of the status resource's URL in the response to the initial request.
    ///   - state: the rule for reading the state from a status response.
    ///   - result: the location of the result when the operation is done.
    ///   - progress: the location of the progress in the status resource; nil if the server does not report it.
    ///   - polling: the waits between status requests if the server does not specify them.
    ///   - maximumWait: the maximum wait that the server can request; a longer one, for example due to a wrong date, is
    ///     shortened to it. A negative value is a declaration error; nothing is sent.
    ///   - timeout: the time limit of the whole operation; nil for no limit. A nonpositive value is a declaration
    ///     error; nothing is sent.
    ///   - cancellation: the request that cancels the operation when the call is cancelled; nil to let the operation
    ///     continue.
    public init(
        at location: Location,
        state: State = .statusCode,
        result: Result = .status,
        progress: Progress? = nil,
        polling: Retry.Backoff = .exponential(from: .seconds(1), to: .seconds(30)),
        maximumWait: Duration = .seconds(300),
        timeout: Duration? = nil,
        cancel cancellation: Cancellation? = nil
    ) {
        self.location = location
        self.state = state
        self.result = result
        self.progress = progress
        self.polling = polling
        self.maximumWait = maximumWait
        self.timeout = timeout
        self.cancellation = cancellation
        isOn = true
    }

    private init() {
        (location, state, result) = (.field(), .statusCode, .status)
        (progress, timeout, cancellation) = (nil, nil, nil)
        (polling, maximumWait) = (.none, .zero)
        isOn = false
    }

    /// No operation: the first response is the result, even if an outer scope declares an operation.
    public static let none = LongRunning()

    /// An operation with its status resource at `Location`, which responds with 202 while the operation runs, and then
    /// with the result.
    public static let location = LongRunning(at: .field("Location"))

    /// An operation of an Azure service.
    ///
    /// Its status is at `Operation-Location` or `Azure-AsyncOperation`, with `status` and `percentComplete`, and its
    /// result is at the URL of the request. All states other than `Succeeded`, `Failed` and `Canceled` count as
    /// running. For a result elsewhere, use
    /// ``LongRunning/init(at:state:result:progress:polling:maximumWait:timeout:cancel:)``.
    public static let azure = LongRunning(
        at: .field("Operation-Location", "Azure-AsyncOperation"),
        state: .member("status", running: nil, done: ["Succeeded"], failed: ["Failed", "Canceled"]),
        result: .request,
        progress: .percent(at: "percentComplete")
    )

    /// The locations of the status and the result, and the rule for the state, or `none`.
    public var summary: String { isOn ? "status at \(location), \(state), result \(result)" : "none" }

    /// Declares the operation; invalid values are declaration errors.
    ///
    /// - Parameter scope: the scope that declares it.
    public func declare(in scope: inout Scope) {
        guard isOn else { return scope.declare(self) }
        let reasons = [
            location.declarationError, state.declarationError, polling.declarationError, maximumWaitError, timeoutError,
        ]
        for case let reason? in reasons {
            scope.declare(Scope.DeclarationError(clause: "LongRunning", value: summary, reason: reason))
        }
        scope.declare(self)
    }

    private var maximumWaitError: String? {
        maximumWait < .zero ? "a wait (maximumWait:) cannot be negative; give zero or more" : nil
    }

    private var timeoutError: String? {
        timeout.map { $0 <= .zero } ?? false ? "its timeout is not positive; give a positive time, or nil" : nil
    }
}

extension LongRunning {
    /// The location of a URL in a response.
    public struct Location: Sendable, CustomStringConvertible {
        package enum Form: Sendable {
            case fields([String])
            case member([EnvelopeKey])
            case path([EnvelopeKey], @Sendable (String) -> Route.Path)
        }

        package let form: Form

        /// Returns the location in a header field: the first of the given fields that is present in the response.
        ///
        /// - Parameter names: the names of the fields.
        /// - Returns: the location.
        public static func field(_ names: String...) -> Self { Self(form: .fields(names)) }

        /// Returns the location in a member of the body, whose text is an absolute URL or a URL relative to that of the
        /// response.
        ///
        /// - Parameter path: the path to the member, as keys and indices.
        /// - Returns: the location.
        public static func member(_ path: EnvelopeKey...) -> Self { Self(form: .member(path)) }

        /// Returns a location below the client's base URL, built from a value in the body:
        /// `.path(at: "id") { "jobs/\($0)" }`.
        ///
        /// - Parameters:
        ///   - keys: the path to the value, which is text or a number, as keys and indices.
        ///   - path: a closure that returns the path for the value.
        /// - Returns: the location.
        public static func path(
            at keys: EnvelopeKey...,
            to path: @escaping @Sendable (String) -> Route.Path
        ) -> Self {
            Self(form: .path(keys, path))
        }

        var declarationError: String? {
            guard case .fields(let names) = form else { return nil }
            if names.isEmpty { return "it contains no field; give one, such as .field(\"Location\")" }
            return names.first { HTTPField.Name($0) == nil }.map {
                "\($0.debugDescription) is not the name of a field; give letters, digits and hyphens"
            }
        }

        /// A textual description of the location.
        public var description: String {
            switch form {
            case .fields(let names): names.joined(separator: " or ")
            case .member(let path), .path(let path, _): path.pathDescription
            }
        }
    }

    /// The rule for reading an operation's state from a status response.
    public struct State: Sendable, CustomStringConvertible {
        package enum Form: Sendable {
            case statusCode
            case member([EnvelopeKey], running: [String]?, done: [String], failed: [String])
            case flag([EnvelopeKey], failure: [EnvelopeKey])
        }

        package let form: Form

        /// The status code: 202 while the operation runs, any other success when it is done.
        public static let statusCode = Self(form: .statusCode)

        /// Returns a rule for a member of the body whose text is the state, compared case-insensitively.
        ///
        /// - Parameters:
        ///   - path: the path to the member, as keys and indices.
        ///   - running: the states of a running operation; nil to treat every state outside the other lists as running.
        ///     Otherwise, such a state is an error.
        ///   - done: the states of an operation with a result; an empty list is a declaration error.
        ///   - failed: the states of a failed or cancelled operation.
        /// - Returns: the rule.
        public static func member(
            _ path: EnvelopeKey...,
            running: [String]?,
            done: [String],
            failed: [String]
        ) -> Self {
            Self(form: .member(path, running: running, done: done, failed: failed))
        }

        /// Returns a rule for two members of the body: one is true when the operation has ended, and the other is
        /// present if it failed.
        ///
        /// - Parameters:
        ///   - path: the key of the Boolean member; a missing member counts as false.
        ///   - failure: the key of the member that is present, and not null, if the operation failed.
        /// - Returns: the rule.
        public static func flag(_ path: EnvelopeKey, failure: EnvelopeKey) -> Self {
            Self(form: .flag([path], failure: [failure]))
        }

        var declarationError: String? {
            guard case .member(_, _, let done, _) = form, done.isEmpty else { return nil }
            return "no state means done; give one"
        }

        /// A textual description of the rule.
        public var description: String {
            switch form {
            case .statusCode: "202 while it runs"
            case .member(let path, _, let done, _):
                "done if \(path.pathDescription) is \(done.joined(separator: " or "))"
            case .flag(let path, _): "done if \(path.pathDescription)"
            }
        }
    }

    /// The location of the result when an operation is done.
    public struct Result: Sendable, CustomStringConvertible {
        package enum Form: Sendable {
            case status
            case member([EnvelopeKey])
            case link(Location)
            case request
        }

        package let form: Form

        /// The last status response, decoded with the declared `Envelope`.
        public static let status = Self(form: .status)

        /// Returns the location in a member of the last status response, which replaces the declared `Envelope`.
        ///
        /// - Parameter path: the path to the member, as keys and indices.
        /// - Returns: the location.
        public static func member(_ path: EnvelopeKey...) -> Self { Self(form: .member(path)) }

        /// Returns the location at a different resource, whose URL is in the last status response, or else in the
        /// response to the initial request.
        ///
        /// - Parameter location: the location of the URL.
        /// - Returns: the location.
        public static func link(_ location: Location) -> Self { Self(form: .link(location)) }

        /// The resource at the URL of the initial request, as after a PUT.
        public static let request = Self(form: .request)

        /// A textual description of the location.
        public var description: String {
            switch form {
            case .status: "in the status"
            case .member(let path): "at \(path.pathDescription)"
            case .link(let location): "at the URL of \(location)"
            case .request: "at the URL of the request"
            }
        }
    }

    /// The location of the progress in the status resource.
    public struct Progress: Sendable {
        package let path: [EnvelopeKey]
        package let whole: Double

        /// Returns the location of a progress value from 0 to 1.
        ///
        /// - Parameter path: the path to the member, as keys and indices.
        /// - Returns: the location.
        public static func fraction(at path: EnvelopeKey...) -> Self { Self(path: path, whole: 1) }

        /// Returns the location of a progress value from 0 to 100.
        ///
        /// - Parameter path: the path to the member, as keys and indices.
        /// - Returns: the location.
        public static func percent(at path: EnvelopeKey...) -> Self { Self(path: path, whole: 100) }

        /// Returns the progress from 0 to 1; nil if the document does not contain it.
        func fraction(in document: JSONValue?) -> Double? {
            guard let value = document?.value(at: path) else { return nil }
            return (value.doubleValue ?? value.stringValue.flatMap(Double.init)).map { min(1, max(0, $0 / whole)) }
        }
    }

    /// The request that cancels an operation.
    public struct Cancellation: Sendable, Hashable {
        package let method: HTTPRequest.Method
        package let suffix: String

        /// `DELETE` to the status URL.
        public static let delete = Self(method: .delete, suffix: "")

        /// Returns a `POST` to the status URL with a suffix appended to its path, such as `/cancel` or `:cancel`.
        ///
        /// - Parameter suffix: the suffix, which becomes part of the path.
        /// - Returns: the request.
        public static func post(appending suffix: String) -> Self { Self(method: .post, suffix: suffix) }
    }
}

extension Scope.Settings {
    /// The declared operation; nil without one or it is turned off.
    package var operation: LongRunning? { self[LongRunning.self].flatMap { $0.defersResult ? $0 : nil } }
}

extension LongRunning: DeferringResult {
    package var defersResult: Bool { isOn }

    package static var writeResultAdvice: String {
        "declare WriteResult(.response) for the result of the operation, and LongRunning(…, result: .request) beside it"
            + " to fetch the entity after an update or a patch"
    }
}
