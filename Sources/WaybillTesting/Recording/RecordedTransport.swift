import Foundation
import Waybill

/// A transport that records responses in a file and replays them without a network.
///
/// ```swift
/// let recorded = try RecordedTransport(file, .replay)
/// let shop = Shop(url, transport: recorded)
/// _ = try await shop.products.read(7)
/// try recorded.finish()
/// ```
///
/// The file is a HAR 1.2. Requests match by method, template, URL and body. The order of query items and JSON members
/// does not matter, and header fields are not compared. Repeated requests get the recorded responses in order, each
/// response once. Secrets are removed from the file and ignored in the comparison; while recording, calls still receive
/// the server's actual values.
///
/// A request without a recorded response fails with `TransportError(.unsupportedRequest)`, whose underlying error is a
/// ``RecordedTransport/Failure``; nothing is sent.
///
/// Copies share the recording.
public struct RecordedTransport: Transport {
    private let session: RecordingSession
    private let transport: any Transport

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - file: the file. A missing folder is created.
    ///   - mode: whether to replay responses, record them, do both, or do neither.
    ///   - name: the name of the recording in a file shared by several; nil if the file has only one.
    ///   - transport: the transport that sends the requests to record.
    ///   - variations: the parts of a request that may differ from the recorded one.
    /// - Throws: ``RecordedTransport/Failure`` if the file or the named recording to replay is missing, or if the file
    ///   cannot be read or is not a recording.
    public init(
        _ file: URL,
        _ mode: Mode = .replay,
        named name: String? = nil,
        over transport: some Transport = .default,
        varying variations: [RecordedTransport.Variation] = []
    ) throws(RecordedTransport.Failure) {
        session = try RecordingSession(RecordingFile(url: file), mode, name: name, variations: variations)
        self.transport = transport
    }

    /// The recorded requests not repeated so far, each with its method, URL and line in the file.
    public var unusedRequests: [String] { session.unusedRequests }

    /// Finishes the recording and checks that it is complete.
    ///
    /// After a replay, every recorded request must have been repeated. After recording, every response must be in the
    /// file.
    ///
    /// - Throws: ``RecordedTransport/Failure`` with the reason ``RecordedTransport/Failure/Reason/unusedRequests(_:)``
    ///   if a replay did not repeat every request, ``RecordedTransport/Failure/Reason/unfinishedResponses(_:)`` if a
    ///   response is still being read, or the error of a file that cannot be written.
    public func finish() throws(RecordedTransport.Failure) { try session.finish() }

    /// Replays or records the response to a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of its transfer; their template is recorded and compared.
    /// - Returns: the response.
    /// - Throws: `TransportError` if the request was not recorded, if the recording has a fault for it, or if the
    ///   underlying transport fails.
    public func send(
        _ request: HTTPRequest,
        options: TransferOptions
    ) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else { throw TransportError(.cancelled) }
        guard session.mode != .live else { return try await transport.send(request, options: options) }
        var request = request
        if let body = request.body, body.bytes == nil { request.body = HTTPBody(try await body.collect()) }
        let secrets = request.secretNames.hiding(options.secretValues?() ?? [])
        let redaction = RecordingRedaction(request, template: options.template, secrets)
        switch try session.response(to: redaction.recorded(request)) {
        case .recorded(let exchange, let index):
            let response = try exchange.response()
            options.report?.isDecoded = exchange.isDecoded
            options.report?.recordingLocation = { [session] in session.place(ofEntry: index) }
            return response
        case .missing(let index): return try await record(request, options, redaction, index)
        }
    }

    private func record(
        _ request: HTTPRequest,
        _ options: TransferOptions,
        _ redaction: RecordingRedaction,
        _ index: Int
    ) async throws(TransportError) -> HTTPResponse {
        do throws(TransportError) {
            // The report records whether the transport decoded the body, so one is needed even if the call has none.
            var options = options
            let report = options.report ?? TransferOptions.Report(isMeasured: false)
            options.report = report
            var response = try await transport.send(request, options: options)
            let head = redaction.recorded(response, to: request, isDecoded: report.isDecoded)
            let received = response
            let complete: BodyRecorder.Completion = { [session] (bytes, fault) throws(TransportError) in
                try session.complete(index, knowing: redaction.secrets(in: received, bytes)) {
                    $0 = redaction.adding(bytes, received.body.trailerFields, to: head)
                    if let fault { $0.fault = fault }
                }
            }
            let body = response.body
            if let bytes = body.bytes {
                try complete(bytes, nil)
                return response
            }
            let recorder = BodyRecorder(complete)
            response.body = recorder.recording(body)
            return response
        } catch {
            // A failure of the recording itself is not a fault of the server.
            if !(error.underlying is RecordedTransport.Failure) {
                try session.complete(index, knowing: redaction.secrets) {
                    $0.fault = RecordedFault(error, message: redaction.text(error.message))
                }
            }
            throw error
        }
    }
}

extension RecordedTransport {
    /// The mode of a recording.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Replays every response from the file; nothing is sent.
        case replay
        /// Sends every request; the new responses replace those in the file.
        case record
        /// Replays recorded responses; sends any other request and adds its response to the file.
        case recordMissing
        /// Sends every request; the file is neither read nor written.
        case live

        /// The environment variable that selects the mode, as in `WAYBILL_RECORDING=record swift test`.
        public static let variable = "WAYBILL_RECORDING"

        /// Returns the mode selected by the process's environment.
        ///
        /// - Returns: the mode that ``variable`` names, or `replay` if it is unset or empty.
        /// - Throws: ``RecordedTransport/Failure`` if the variable does not name a mode.
        public static func ofProcess() throws(RecordedTransport.Failure) -> Mode {
            try named(ProcessInfo.processInfo.environment[variable])
        }

        static func named(_ name: String?) throws(RecordedTransport.Failure) -> Mode {
            guard let name, !name.isEmpty else { return .replay }
            guard let mode = Mode(rawValue: name) else {
                throw RecordedTransport.Failure(.unknownMode(name), file: nil)
            }
            return mode
        }
    }
}

extension RecordedTransport {
    /// The recording of the running test; nil outside tests with the `recorded` trait of `WaybillTestingTraits`.
    @TaskLocal public static var current: RecordedTransport?

    /// A transport that uses the recording that was current when the transport was created.
    ///
    /// Without a recording, every request fails with `TransportError(.unavailable)`, and nothing is sent.
    public struct OfTest: Transport {
        private let recorded = RecordedTransport.current

        init() {}

        /// Replays or records the response to a request.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - options: the options of its transfer.
        /// - Returns: the response.
        /// - Throws: `TransportError(.unavailable)` without a recording, or the error of the recording.
        public func send(
            _ request: HTTPRequest,
            options: TransferOptions
        ) async throws(TransportError) -> HTTPResponse {
            guard let recorded else {
                throw TransportError(
                    .unavailable,
                    "there is no recording here: write `@Test(.recorded)`, and create the client in the test's own task"
                )
            }
            return try await recorded.send(request, options: options)
        }
    }
}

extension Transport where Self == RecordedTransport.OfTest {
    /// A transport for the recording of the running test.
    public static var recorded: RecordedTransport.OfTest { RecordedTransport.OfTest() }
}

extension RecordedTransport {
    /// A part of a request that may differ from the recorded one.
    ///
    /// ```swift
    /// let recorded = try RecordedTransport(file, varying: [.pathValues, .bodyMember("id")])
    /// ```
    public struct Variation: Sendable, Hashable {
        enum Part: Sendable, Hashable {
            case origin, pathValues, queryItem(String), bodyMember(String), body
        }

        let part: Part

        /// The scheme, host and port, for a server whose port changes.
        public static let origin = RecordedTransport.Variation(part: .origin)

        /// The values in the path template, such as ids, or the whole path of a URL supplied by the server.
        public static let pathValues = RecordedTransport.Variation(part: .pathValues)

        /// Returns a variation for the query items with the given name.
        ///
        /// - Parameter name: the decoded name; case-sensitive.
        /// - Returns: the variation.
        public static func queryItem(_ name: String) -> Self { Self(part: .queryItem(name)) }

        /// Returns a variation for the members of a JSON body with the given key, or the items of a form with a name.
        ///
        /// - Parameter key: the key, at any depth of the body; case-sensitive.
        /// - Returns: the variation.
        public static func bodyMember(_ key: String) -> Self { Self(part: .bodyMember(key)) }

        /// The whole body.
        public static let body = RecordedTransport.Variation(part: .body)
    }
}
