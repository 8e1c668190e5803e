import WaybillJSON
import WaybillSystem

extension ElementSource {
    typealias Reader = WaybillJSONDecoder.ElementReader<Element>

    /// Creates the reader for the list of a response.
    static func reader(
        _ decoder: WaybillJSONDecoder,
        _ form: Decode.StreamFormat.Form,
        _ body: BodyReader,
        keepsOutline: Bool
    ) -> Reader {
        let plan = body.call.plan
        if let sequence = form.sequence {
            let isLossy = plan.settings[DropInvalidItems.self] != nil
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

    /// Reads the body up to the first element, or to the end if the list has none.
    ///
    /// - Throws: ``APIError/status(_:)`` for a declared problem in place of the list, ``APIError/decoding(_:)`` for
    ///   another document without one.
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

    /// Decodes the metadata that stands before the list.
    private func readEarlyMetadata(_ parsing: Parsing) {
        guard !plan.metadataRules.isEmpty, let outline = parsing.reader.outline,
            let decoder = plan.decoder as? WaybillJSONDecoder
        else { return }
        let list = plan.settings[Envelope.self]?.list ?? []
        var metadata: [ObjectIdentifier: any Sendable] = [:]
        for rule in plan.metadataRules where metadata[rule.type] == nil {
            // A value around the list, or one that is counted from the end, is not known yet.
            guard !list.starts(with: rule.path), !rule.path.contains(where: \.isFromEnd) else { continue }
            // An error shows when the list has ended, if it is one: the value may still come.
            let value = try? decoder.withDocument(outline) { try rule.extra.decodeFromDocument($0) }
            if let value = value ?? nil { metadata[rule.type] = value }
        }
        note(metadata)
    }

    /// Checks that what the document has beside the list is not longer than what may be kept.
    func checkOutline(_ parsing: Parsing) throws(APIError) {
        guard parsing.reader.isOutlineTruncated, keepsOutline || !plan.metadataRules.isEmpty else { return }
        throw tooLarge("it has more than \(plan.successLimit) bytes beside the list")
    }

    private func tooLarge(_ reason: String) -> APIError {
        let advice = "; declare BodyLimits(success:) to read more"
        return body.call.transportFailure(TransportError(.bodyTooLarge, reason + advice))
    }

    /// Reads what the document has beside the list, at its end.
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

    /// Returns the failure of a document that has something other than the list in its place.
    ///
    /// It reads on only for a declared problem, up to the end of the first JSON text: an object need not end.
    private func failure(inPlaceOfList error: any Error, _ parsing: Parsing) async throws(APIError) -> APIError {
        var bytes = parsing.beginning
        var texts = WaybillJSONDecoder.ElementReader<JSONValue>(JSONDefaults.decoder, sequence: .concatenated)
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
        }
        let cause: any Error = bytes.isEmpty ? EmptyBody(advice: "call send() where that is expected") : error
        return .decoding(reply.failure(cause, decoding: "\([Element].self)", plan: plan, advice: advice))
    }

    /// Returns the failure of an error in a part of the body.
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

    /// Returns the response with a part of its body.
    func reply(_ bytes: Data) -> Reply {
        var response = body.response
        response.body = HTTPBody(bytes, trailerFields: response.body.trailerFields)
        return Reply(response, of: plan)
    }
}

extension Plan {
    /// The declared metadata.
    var metadataRules: [Metadata] { settings[MetadataRules.self]?.elements ?? [] }

    /// The number of bytes of a failed response's body that are kept.
    var failureLimit: Int { settings[BodyLimits.self]?.failure ?? BodyLimits.defaultFailure }

    /// The problems that a response may carry.
    func problems(in response: CallResponse) -> [ProblemRule] {
        settings[ProblemRules.self]?.rules
            .filter { $0.applies(to: response.status, contentType: response.headerFields[.contentType]) } ?? []
    }

    /// Whether a response may carry a declared problem.
    func mayHaveProblem(in response: CallResponse) -> Bool { !problems(in: response).isEmpty }
}
