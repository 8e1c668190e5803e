import Waybill
import WaybillJSON
import WaybillSystem

extension ElementSource {
    typealias Reader = WaybillJSONDecoder.ElementReader<Element>

    /// Creates a reader for the elements in a response.
    static func reader(
        _ decoder: WaybillJSONDecoder,
        _ form: Decode.StreamFormat.Form,
        _ body: BodyReader,
        keepsOutline: Bool
    ) -> Reader {
        let plan = body.call.plan
        if let sequence = form.sequence {
            let isLossy = plan.settings.dropsInvalidItems
            var reader = Reader(decoder, sequence: sequence, passesBrokenTexts: isLossy)
            reader.limitElements(to: plan.successLimit)
            return reader
        }
        var reader = decoder.elements(Element.self, at: plan.settings[Envelope.self]?.list ?? [])
        reader.limitElements(to: plan.successLimit)
        if keepsOutline || !plan.metadataRules.isEmpty {
            reader.keepOutline(upTo: plan.successLimit)
        } else if plan.mayHaveProblem(in: body.response) {
            reader.keepOutline(upTo: plan.failureLimit)
        }
        return reader
    }

    /// Reads the body up to the first element, or to the end of an empty list.
    ///
    /// - Throws: `APIError.status` if the body is a declared problem, `APIError.decoding` if it does not
    ///   contain the list.
    func findList(_ parsing: Parsing) async throws(APIError) {
        while !parsing.reader.isWithinElements {
            let isFound: Bool
            do {
                isFound = try decode(parsing)
                if parsing.isComplete { try parsing.reader.finish() }
            } catch let error as ElementTooLarge {
                throw failure(error)
            } catch {
                throw try await failure(inPlaceOfList: error, parsing)
            }
            try checkOutline(parsing)
            if isFound || parsing.isComplete || parsing.reader.isWithinElements { break }
            if let chunk = try await body.next(reportsEnd: false) {
                parsing.append(chunk)
                let room = plan.failureLimit - parsing.beginning.count
                if room >= 0 { parsing.beginning.append(chunk.prefix(min(room, chunk.count) + 1)) }
            } else {
                complete(parsing)
            }
        }
        parsing.beginning = Data()
        noteOutline(parsing)
        readEarlyMetadata(parsing)
    }

    /// Decodes the metadata that precedes the list.
    private func readEarlyMetadata(_ parsing: Parsing) {
        guard !plan.metadataRules.isEmpty, let outline = parsing.reader.outline,
            let decoder = plan.decoder as? WaybillJSONDecoder
        else { return }
        let list = plan.settings[Envelope.self]?.list ?? []
        var metadata: [ObjectIdentifier: any Sendable] = [:]
        for rule in plan.metadataRules where metadata[rule.id] == nil {
            // A path that contains the list or an index from the end cannot be resolved yet.
            let path = rule.path
            guard !list.starts(with: path), !path.contains(where: \.isFromEnd) else { continue }
            // Ignore errors, because the value may still arrive; otherwise, they are reported at the end of the body.
            let value = try? decoder.withDocument(outline) { try rule.decodeFromDocument($0) }
            if let value = value ?? nil { metadata[rule.id] = value }
        }
        note(metadata)
    }

    /// Checks that the document around the list does not exceed the limit.
    func checkOutline(_ parsing: Parsing) throws(APIError) {
        guard parsing.reader.isOutlineTruncated, keepsOutline || !plan.metadataRules.isEmpty else { return }
        throw tooLarge("it has more than \(plan.successLimit) bytes beside the list")
    }

    private func tooLarge(_ reason: String) -> APIError {
        let advice = "; declare BodyLimits(successBytes:) to read more"
        return body.call.transportFailure(TransportError(.bodyTooLarge, reason + advice))
    }

    /// Decodes the document around the list after the whole body has arrived.
    ///
    /// - Throws: `APIError.status` for a declared problem, `APIError.decoding` for invalid metadata.
    func readRest(_ parsing: Parsing) throws(APIError) {
        noteOutline(parsing)
        guard let outline = parsing.reader.outline else { return }
        let reply = reply(outline)
        if let failure = reply.failure(of: plan, request: body.response.request ?? plan.request) {
            throw .status(failure)
        }
        guard !plan.metadataRules.isEmpty else { return }
        let (_, extras) = try reply.extract(IgnoredValue.self, Extraction(), extras: [], plan: plan)
        note(extras.metadata)
    }

    /// Returns the failure for a document without the expected list.
    ///
    /// It reads more of the body only to detect a declared problem, and only up to the end of the first JSON text,
    /// because the body may never end.
    private func failure(inPlaceOfList error: any Error, _ parsing: Parsing) async throws(APIError) -> APIError {
        var bytes = parsing.beginning
        var texts = WaybillJSONDecoder.ElementReader<JSONValue>(JSONDefaults.lenientDecoder, sequence: .concatenated)
        texts.append(bytes)
        var first = texts.nextText
        if plan.mayHaveProblem(in: body.response) {
            while case .unfinished = first, !parsing.isComplete, bytes.count <= plan.failureLimit {
                guard let chunk = try await body.next(reportsEnd: false) else { break }
                bytes.append(chunk)
                texts.append(chunk)
                first = texts.nextText
            }
        }
        guard bytes.count <= plan.failureLimit else { return failure(error) }
        let reply = reply(bytes)
        if let failure = reply.failure(of: plan, request: body.response.request ?? plan.request) {
            return .status(failure)
        }
        var advice: String?
        if case .whole(let text) = first {
            if plan.mayHaveProblem(in: body.response), let failure = problemFailure(of: text) { return failure }
            if case .whole = texts.nextText {
                advice = "the body has several JSON texts; declare Decode.StreamFormat(.concatenatedJSON)"
            }
            if advice == nil, plan.missingList != .isError {
                advice = "a streamed list must be an array, whatever missingList declares; call send() or page()"
            }
        }
        let cause: any Error =
            bytes.isEmpty ? UnreadableBody(emptyWithAdvice: "call send() where that is expected") : error
        return .decoding(reply.failure(cause, decoding: "\([Element].self)", plan: plan, advice: advice))
    }

    /// Returns the failure for an error in decoding part of the body.
    func failure(_ error: any Error) -> APIError {
        if let error = error as? ElementTooLarge { return tooLarge("\(error)") }
        let reply = reply(Data())
        return .decoding(
            APIError.DecodingFailure(
                call: reply.call(of: plan),
                status: reply.status,
                headerFields: reply.headerFields,
                typeName: "\([Element].self)",
                underlying: error,
                body: Data(),
                secretNames: plan.secretNames,
                isStreamed: true
            )
        )
    }

    /// Returns a reply with the head of the response and part of its body.
    func reply(_ bytes: Data) -> Reply {
        var response = body.response
        response.body = HTTPBody(bytes, trailerFields: response.body.trailerFields)
        return Reply(response, of: plan)
    }
}

/// A JSON text in a sequence: an element, or a declared problem.
///
/// Some servers respond with status 200 and report an error on a line of the body: `{"error": "no space left"}`.
private enum SequenceText<Element: Decodable>: Decodable {
    case element(Element, isLast: Bool)
    case problem(JSONValue)

    init(from decoder: any Decoder) throws {
        let rules = CodingUserInfoKey.problems.flatMap { decoder.userInfo[$0] } as? [ProblemRule] ?? []
        let end = CodingUserInfoKey.end.flatMap { decoder.userInfo[$0] } as? EndCheck
        let container = try decoder.singleValueContainer()
        // A text that fails to decode as a problem is not one.
        let isProblem = LoneSurrogates.replaced(in: decoder) {
            rules.contains { rule in (try? rule.extra.decode(decoder)) ?? nil != nil }
        }
        guard !isProblem else {
            self = .problem(try LoneSurrogates.replaced(in: decoder) { try container.decode(JSONValue.self) })
            return
        }
        let isLast = end?.isReached(by: decoder) ?? false
        self = .element(try container.decode(Element.self), isLast: isLast)
    }
}

/// The check for the declared last element of a sequence.
final class EndCheck: Sendable {
    let mark: Decode.StreamFormat.End
    private let reached = Locked(false)

    init(_ mark: Decode.StreamFormat.End) { self.mark = mark }

    /// Whether the last element has been read, even if it cannot be decoded.
    var isReached: Bool { reached.withLock { $0 } }

    /// Whether an element is the last one.
    fileprivate func isReached(by element: any Decoder) -> Bool {
        guard LoneSurrogates.replaced(in: element, { mark.marks(element) }) else { return false }
        reached.withLock { $0 = true }
        return true
    }
}

extension CodingUserInfoKey {
    /// The problem rules that apply to the texts of a sequence.
    static let problems = CodingUserInfoKey(rawValue: "Waybill.problems")

    /// The check for the last text of a sequence.
    static let end = CodingUserInfoKey(rawValue: "Waybill.end")
}

extension ElementSource {
    /// Decodes the received texts as elements, up to the first declared problem or the declared end.
    ///
    /// - Returns: the failure of the element after the decoded ones; nil without one.
    func readTexts(_ parsing: Parsing, into elements: inout [Element]) throws -> WaybillJSONDecoder.DroppedItem? {
        var read: [Element] = []
        let failure = try parsing.reader.nextElements(as: SequenceText<Element>.self) { text in
            guard parsing.problem == nil, !parsing.isAtEnd else { return }
            switch text {
            case .element(let element, let isLast):
                read.append(element)
                parsing.isAtEnd = isLast
            case .problem(let problem): parsing.problem = problem
            }
        }
        elements += read
        // A failure after the last element is not part of the list.
        guard !parsing.isAtEnd else { return nil }
        parsing.isAtEnd = parsing.problem == nil && end?.isReached ?? false
        return failure
    }

    /// Returns the failure for a response that ended before the declared last element.
    func missing(_ end: Decode.StreamFormat.End) -> APIError {
        failure(
            UnreadableBody(
                "the response ended before an element with \(end), the end that Decode.StreamFormat declares; elements"
                    + " may be missing: send the call again, or leave out `until` if the server does not always send"
                    + " that element"
            )
        )
    }

    /// Returns the failure for a text that is a declared problem.
    func failure(ofProblem problem: JSONValue) -> APIError {
        problemFailure(of: problem)
            ?? .status(APIError.StatusFailure(call: reply(Data()).call(of: plan), status: body.response.status))
    }

    /// Returns the failure for a text; nil if it is not a declared problem.
    func problemFailure(of text: JSONValue) -> APIError? {
        let reply = reply((try? JSONDefaults.encoder.encode(text)) ?? Data())
        return reply.failure(of: plan, request: body.response.request ?? plan.request, isJSON: true).map { .status($0) }
    }
}
