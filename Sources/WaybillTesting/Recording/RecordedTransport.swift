import Foundation
import Waybill

/// A transport that records responses in a file, and replays them without a network.
///
/// ```swift
/// let recorded = try RecordedTransport(file, .replay)
/// let shop = Shop(url, transport: recorded)
/// _ = try await shop.products.read(7)
/// try recorded.finish()
/// ```
///
/// The file is a HAR 1.2. A request is matched by its method, template, URL and body: the order of query items and of
/// the members of JSON does not matter, header fields are not compared, and a request that is repeated gets the
/// recorded responses in their order, each once. Secrets are in neither the file nor the comparison, while the calls
/// see those of the server.
///
/// A request without a recorded response fails with a `TransportError` of kind `unsupportedRequest`, whose underlying
/// error is a ``RecordedTransport/Failure``; nothing is sent.
///
/// Copies share the recording.
public struct RecordedTransport: Transport {
    private let session: RecordingSession
    private let transport: any Transport

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - file: the file; a folder that is missing is created.
    ///   - mode: what is recorded and what is replayed.
    ///   - name: the name of the recording in a file that several share; nil for a file of its own.
    ///   - transport: the transport of requests that are sent.
    ///   - variations: the parts of requests in which a request may differ from the recorded one.
    /// - Throws: ``RecordedTransport/Failure`` if the file is missing though it is replayed, or is not a recording.
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

    /// The recorded requests that were not repeated, one a line: the method, the URL, and the line of the file.
    public var unusedRequests: [String] { session.unusedRequests }

    /// Ends the recording: checks that every recorded request was repeated, or that every response is in the file.
    ///
    /// - Throws: ``RecordedTransport/Failure`` of reason ``RecordedTransport/Failure/Reason/unusedRequests(_:)`` if
    ///   requests of a replay are left over, of reason ``RecordedTransport/Failure/Reason/unfinishedResponses(_:)`` if
    ///   a response is still being read, or the error of a file that cannot be written.
    public func finish() throws(RecordedTransport.Failure) { try session.finish() }

    /// Replays or records the response to a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: the options of its transfer, whose template is recorded.
    /// - Returns: the response.
    /// - Throws: `TransportError` for a request that was not recorded, the recorded fault, or that of the transport.
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
            options.report?.recordingPlace = { [session] in session.place(ofEntry: index) }
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
            // The report says whether the transport has decoded the body, even if the call does not ask.
            var options = options
            let report = options.report ?? TransferReport(isMeasured: false)
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
            // A fault of the recording itself does not come from the server.
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
    /// The modes of a recording.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// Every response comes from the file, and nothing is sent.
        case replay
        /// Every request is sent, and its response replaces what the file had.
        case record
        /// A request with a recorded response gets it; any other is sent, and its response is added to the file.
        case recordMissing
        /// Every request is sent; the file is neither read nor written.
        case live

        /// The variable of the process that chooses the mode: `WAYBILL_RECORDING=record swift test`.
        public static let variable = "WAYBILL_RECORDING"

        /// Returns the mode that the process was started with.
        ///
        /// - Returns: the mode that the variable ``variable`` names; `replay` if there is no such variable.
        /// - Throws: ``RecordedTransport/Failure`` if it names none.
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
    /// The recording of the test that is running; nil outside a test with the trait `recorded` of
    /// `WaybillTestingTraits`.
    @TaskLocal public static var current: RecordedTransport?

    /// A transport over the recording of the running test, which was current when the transport was created.
    ///
    /// Without a recording, every request fails with a `TransportError` of kind `unavailable`, and nothing is sent.
    public struct OfTest: Transport {
        private let recorded = RecordedTransport.current

        init() {}

        /// Replays or records the response to a request.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - options: the options of its transfer.
        /// - Returns: the response.
        /// - Throws: `TransportError` of kind `unavailable` without a recording, and the errors of the recording.
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
    /// The recording of the running test.
    public static var recorded: RecordedTransport.OfTest { RecordedTransport.OfTest() }
}

extension RecordedTransport {
    /// A part of requests in which a request may differ from the recorded one.
    ///
    /// ```swift
    /// let recorded = try RecordedTransport(file, varying: [.pathValues, .bodyMember("id")])
    /// ```
    public struct Variation: Sendable, Hashable {
        enum Part: Sendable, Hashable {
            case origin, pathValues, queryItem(String), bodyMember(String), body
        }

        let part: Part

        /// The scheme, the host and the port: for a server whose port changes.
        public static let origin = RecordedTransport.Variation(part: .origin)

        /// The values of the template, such as ids; a path without a template is not compared either.
        public static let pathValues = RecordedTransport.Variation(part: .pathValues)

        /// Returns the query items with a name.
        ///
        /// - Parameter name: the name, decoded; case matters.
        /// - Returns: the variation.
        public static func queryItem(_ name: String) -> Self { Self(part: .queryItem(name)) }

        /// Returns the members of a JSON body with a key, or the items of a form with a name.
        ///
        /// - Parameter key: the key, at any depth of the body; case matters.
        /// - Returns: the variation.
        public static func bodyMember(_ key: String) -> Self { Self(part: .bodyMember(key)) }

        /// The whole body.
        public static let body = RecordedTransport.Variation(part: .body)
    }
}
