import WaybillJSON
import WaybillSystem

/// A prefix of a successful response's body, read until the body can no longer be a declared problem.
///
/// A streaming call must detect a problem before it returns, but the body may never end.
package struct BodyBeginning {
    /// The bytes read so far: at most one byte more than the limit for a failed response's body.
    package private(set) var bytes = Data()

    /// Whether the body can still be a declared problem.
    package private(set) var mayBecomeProblem: Bool

    private let response: CallResponse
    private let plan: Call.Plan
    private let isWholeBody: Bool
    /// Finds the end of the first JSON text; nil if a problem need not be JSON.
    private var texts: WaybillJSONDecoder.ElementReader<JSONValue>?
    private var first = WaybillJSONDecoder.ElementReader<JSONValue>.NextText.unfinished

    /// Creates an empty prefix.
    ///
    /// - Parameters:
    ///   - response: the response's head.
    ///   - plan: the call's plan.
    ///   - isWholeBody: true if only the whole body can be a problem; false if its first JSON text alone can be one.
    package init(of response: CallResponse, to plan: Call.Plan, isWholeBody: Bool = false) {
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

    /// Whether the body exceeds the limit for a problem.
    package var isTooLong: Bool { bytes.count > plan.failureLimit }

    /// Appends the next chunk, discarding bytes beyond the limit.
    package mutating func append(_ chunk: Data) {
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
        // The body is a problem so far, but another JSON text would rule that out.
        case .whole: mayBecomeProblem = isWholeBody && problem != nil
        }
    }

    /// The declared problem in the bytes; nil if they match no declared type.
    package var problem: APIError.StatusFailure? {
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
    /// Reads the beginning of a successful response's body to detect a declared problem, unless it was already checked.
    ///
    /// If the body is a problem, it is marked as read. Otherwise, it can still be read from its start.
    ///
    /// - Throws: ``APIError/transport(_:)`` if the body ends early before it can be classified.
    package func readProblem(in response: inout CallResponse) async throws(APIError) {
        // Partial content is not a complete document.
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

extension Call.Plan {
    /// Returns the problem rules that apply to a response's status and media type.
    package func problems(in response: CallResponse) -> [ProblemRule] {
        settings[ProblemRules.self]?.rules
            .filter { $0.applies(to: response.status, contentType: response.headerFields[.contentType]) } ?? []
    }

    /// Whether a response may contain a declared problem.
    package func mayHaveProblem(in response: CallResponse) -> Bool { !problems(in: response).isEmpty }
}

extension WaybillJSONDecoder.ElementReader {
    /// The result of reading the next JSON text from the received bytes.
    package enum NextText {
        case whole(Element)
        case unfinished
        case invalid
    }

    /// Reads the next JSON text from the received bytes.
    package var nextText: NextText {
        mutating get {
            do { return try next().map { .whole($0) } ?? .unfinished } catch { return .invalid }
        }
    }
}
