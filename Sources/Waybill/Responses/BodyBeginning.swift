import WaybillJSON
import WaybillSystem

/// The beginning of the body of a successful response, read as far as it may be a declared problem.
///
/// A call that streams its body has to know before it returns whether a problem is in place of it, and the body need
/// not end.
struct BodyBeginning {
    /// The bytes so far: at most one more than the limit of a failed response's body.
    private(set) var bytes = Data()

    /// Whether the bytes, and those that follow them, may be a declared problem.
    private(set) var mayBecomeProblem: Bool

    private let response: CallResponse
    private let plan: Plan
    private let isWholeBody: Bool
    /// Finds the end of the first JSON text; nil if a problem need not be JSON.
    private var texts: WaybillJSONDecoder.ElementReader<JSONValue>?
    private var first = WaybillJSONDecoder.ElementReader<JSONValue>.NextText.unfinished

    /// Creates an empty beginning.
    ///
    /// - Parameters:
    ///   - response: the head of the response.
    ///   - plan: the plan of the call.
    ///   - isWholeBody: whether only a whole body is a problem, as for a call that reads it at once; otherwise its
    ///     first JSON text may be one too.
    init(of response: CallResponse, to plan: Plan, isWholeBody: Bool = false) {
        self.response = response
        self.plan = plan
        self.isWholeBody = isWholeBody
        let problems = plan.problems(in: response)
        mayBecomeProblem = !problems.isEmpty && response.body.length ?? 0 <= plan.failureLimit
        let media = response.headerFields[.contentType].map(MediaType.init)
        let mayBeText = media.map { $0.isText && !$0.isJSON } ?? false && problems.contains { $0.text != nil }
        guard !mayBeText, plan.decoder is WaybillJSONDecoder || plan.decoder is JSONDecoder else { return }
        texts = WaybillJSONDecoder.ElementReader(JSONDefaults.lenientDecoder, sequence: .concatenated)
    }

    /// Whether the body is longer than a problem can be.
    var isTooLong: Bool { bytes.count > plan.failureLimit }

    /// Adds the next bytes.
    mutating func append(_ chunk: Data) {
        bytes.append(chunk.prefix(plan.failureLimit - bytes.count + 1))
        guard !isTooLong else {
            mayBecomeProblem = false
            return
        }
        if case .unfinished = first, texts != nil {
            texts?.append(chunk)
            first = texts?.nextText ?? .unfinished
        }
        switch first {
        case .unfinished: break
        case .invalid: mayBecomeProblem = false
        // Bytes after the text would show that the body is something else.
        case .whole: mayBecomeProblem = isWholeBody && problem != nil
        }
    }

    /// The bytes as a declared problem; nil if no declared type fits them.
    var problem: APIError.StatusFailure? {
        guard !isTooLong, !bytes.isEmpty else { return nil }
        if let failure = failure(bytes) { return failure }
        guard !isWholeBody, case .whole(let text) = first else { return nil }
        return (try? JSONDefaults.encoder.encode(text)).flatMap { failure($0, isJSON: true) }
    }

    private func failure(_ bytes: Data, isJSON: Bool = false) -> APIError.StatusFailure? {
        var response = response
        response.body = HTTPBody(bytes)
        return Reply(response, of: plan)
            .failure(of: plan, request: response.request ?? plan.request, isJSON: isJSON)
    }
}

extension Call {
    /// Reads the body of a successful response as far as it may be a declared problem, unless that was done before.
    ///
    /// A problem is left in the response as a body that has been read. Any other body is there as a whole.
    ///
    /// - Throws: ``APIError/transport(_:)`` for a body that breaks off before it is known.
    func readProblem(in response: inout CallResponse) async throws(APIError) {
        // A part of a file is no document.
        guard !response.isRead, !response.isCheckedForProblem, response.status != 206 else { return }
        response.isCheckedForProblem = true
        var beginning = BodyBeginning(of: response, to: plan, isWholeBody: true)
        guard beginning.mayBecomeProblem else { return }
        do throws(TransportError) {
            try await response.body.readBeginning { chunk in
                beginning.append(chunk)
                return beginning.mayBecomeProblem
            }
        } catch {
            throw transportFailure(error, sent: response.request)
        }
        guard let bytes = response.body.bytes, bytes.count == beginning.bytes.count, beginning.problem != nil else {
            return
        }
        response.isRead = true
        if isObserved { report(.body(bytes: bytes.count), of: response) }
    }
}

extension Plan {
    /// The problems that a response may carry.
    func problems(in response: CallResponse) -> [ProblemRule] {
        settings[ProblemRules.self]?.rules
            .filter { $0.applies(to: response.status, contentType: response.headerFields[.contentType]) } ?? []
    }

    /// Whether a response may carry a declared problem.
    func mayHaveProblem(in response: CallResponse) -> Bool { !problems(in: response).isEmpty }
}

extension WaybillJSONDecoder.ElementReader {
    /// The next text of the bytes that have come.
    enum NextText {
        case whole(Element)
        case unfinished
        case invalid
    }

    /// Reads the next text.
    var nextText: NextText {
        mutating get {
            do { return try next().map { .whole($0) } ?? .unfinished } catch { return .invalid }
        }
    }
}
