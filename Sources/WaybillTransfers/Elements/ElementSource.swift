import Waybill
import WaybillFiles
import WaybillJSON
import WaybillSystem

/// The source of a streamed response's elements, used by one task at a time.
final class ElementSource<Element: Decodable & Sendable>: ArrivingList {
    /// The element reader and its state.
    ///
    /// `@unchecked Sendable`: the source lends it to one task at a time.
    final class Parsing: @unchecked Sendable {
        var reader: Reader
        /// The failure of the element after the decoded ones.
        var failure: WaybillJSONDecoder.DroppedItem?
        /// The declared problem after the decoded elements.
        var problem: JSONValue?
        /// The bytes before the list, kept in case the body turns out to be a problem.
        var beginning = Data()
        var isComplete = false
        /// Whether the declared last element of a sequence has been read; anything after it is ignored.
        var isAtEnd = false
        /// The checksum of the body so far; nil if no checksum is computed.
        var sum: XXHash?
        /// A rewriter that turns a keyed list into an array for the reader.
        private var keyedList: KeyedList?

        init(_ reader: Reader, _ keyedList: KeyedList?) {
            self.reader = reader
            self.keyedList = keyedList
        }

        /// Appends the next chunk of the body.
        func append(_ chunk: Data) {
            reader.append(keyedList?.write(chunk) ?? chunk)
            if sum != nil { chunk.withUnsafeBytes { sum?.add($0) } }
        }
    }

    private struct State: Sendable {
        /// The reader; nil while a task is using it.
        var parsing: Parsing?
        var isOver = false
        var metadata: [ObjectIdentifier: any Sendable] = [:]
        /// The number of elements, including dropped ones.
        var count = 0
        /// The received part of the document, without the list's elements; nil if it is not kept.
        var outline: Data?
        var sum: UInt64?
    }

    let body: BodyReader
    let decoded = DecodedElements<Element>()
    let dropped = DroppedItemLog()
    /// Whether to keep the document without the list's elements even if no `Metadata` clause needs it.
    let keepsOutline: Bool
    /// Whether to check the texts of a sequence for declared problems and the declared end.
    private let checksTexts: Bool
    /// The check for the last element of a sequence; nil if the sequence ends with the response.
    let end: EndCheck?
    private let state: Locked<State>

    private init(
        _ body: BodyReader,
        _ parsing: Parsing,
        _ end: EndCheck?,
        keepsOutline: Bool,
        hasProblems: Bool
    ) {
        self.body = body
        self.end = end
        checksTexts = hasProblems || end != nil
        self.keepsOutline = keepsOutline
        state = Locked(State(parsing: parsing))
    }

    /// Sends a call and returns when the list in the response begins.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - client: the client that sends the call.
    ///   - keepsOutline: whether to keep the ``outline``.
    ///   - keepsSum: whether to compute the ``bodySum``.
    /// - Returns: the source of the elements.
    /// - Throws: `APIError`.
    static func open(
        _ plan: Call.Plan,
        with client: Client,
        keepsOutline: Bool = false,
        keepsSum: Bool = false
    ) async throws(APIError) -> ElementSource {
        var decoder = try plan.streamDecoder()
        let body = try await client.open(plan)
        let form =
            plan.settings[Decode.StreamFormat.self]?.form
            ?? Decode.StreamFormat.Form(body.response.headerFields[.contentType])
        let problems = form.sequence == nil ? [] : plan.problems(in: body.response)
        if let key = CodingUserInfoKey.problems, !problems.isEmpty { decoder.userInfo[key] = problems }
        let end = plan.settings[Decode.StreamFormat.self]?.end.map { EndCheck($0) }
        if let key = CodingUserInfoKey.end, let end { decoder.userInfo[key] = end }
        let keyedList = form.sequence == nil ? plan.settings[Envelope.self]?.keyedList(of: Element.self) : nil
        let parsing = Parsing(
            reader(decoder, form, body, keepsOutline: keepsOutline),
            keyedList.map { KeyedList($0) }
        )
        if keepsSum { parsing.sum = XXHash() }
        let source = ElementSource(body, parsing, end, keepsOutline: keepsOutline, hasProblems: !problems.isEmpty)
        source.note(try source.reply(Data()).fieldMetadata(of: plan))
        try await source.begin()
        return source
    }

    /// The number of elements so far, including dropped ones.
    var elementCount: Int { state.withLock { $0.count } }

    /// The document without the list's elements: initially the part before the list, at the end the whole document; nil
    /// if it is not kept, or if the body is a sequence of texts.
    var outline: Data? { state.withLock { $0.outline } }

    /// The checksum of the body; nil until the body has ended.
    var bodySum: UInt64? { state.withLock { $0.sum } }

    var plan: Call.Plan { body.call.plan }

    /// Returns the declared metadata of a type; nil if it has not been read yet.
    func metadata<Metadata: Sendable>(_ type: Metadata.Type) -> Metadata? {
        state.withLock { $0.metadata[ObjectIdentifier(type)] } as? Metadata
    }

    /// Reads the body up to the beginning of the list.
    private func begin() async throws(APIError) {
        _ = try await lent { (parsing) async throws(APIError) in
            try await self.findList(parsing)
            return .some(())
        }
    }

    /// Returns the next element; nil at the end of the body.
    func next() async throws(APIError) -> Element? {
        while let result = try await nextResult() {
            state.withLock { $0.count += 1 }
            switch result {
            case .success(let element): return element
            case .failure(let item):
                guard plan.settings.dropsInvalidItems else {
                    let error = failure(item.error)
                    await end(with: error)
                    throw error
                }
                note(item)
            }
        }
        return nil
    }

    private func nextResult() async throws(APIError) -> Result<Element, WaybillJSONDecoder.DroppedItem>? {
        if let element = decoded.next() { return .success(element) }
        return try await lent { (parsing) async throws(APIError) in try await self.nextResult(parsing) }
    }

    private func end(with error: APIError) async {
        state.withLock { ($0.isOver, $0.parsing) = (true, nil) }
        await body.fail(error)
    }

    /// Lends the reader to a closure; a nil result or an error ends the source.
    private func lent<Result: Sendable>(
        _ work: (Parsing) async throws(APIError) -> Result?
    ) async throws(APIError) -> Result? {
        let (parsing, isOver) = state.withLock { state in (state.parsing.take(), state.isOver) }
        guard !isOver else { return nil }
        guard let parsing else {
            let error = TransportError(.other, "another task is reading the stream")
            throw body.call.transportFailure(error)
        }
        do throws(APIError) {
            let result = try await work(parsing)
            if result == nil { await body.finish() }
            state.withLock { state in
                state.isOver = result == nil
                state.parsing = result == nil ? nil : parsing
            }
            return result
        } catch {
            await end(with: error)
            throw error
        }
    }

    private func nextResult(_ parsing: Parsing) async throws(APIError) -> Result<
        Element, WaybillJSONDecoder.DroppedItem
    >? {
        while true {
            if let element = decoded.next() { return .success(element) }
            if let problem = parsing.problem { throw failure(ofProblem: problem) }
            if let failure = parsing.failure.take() { return .failure(failure) }
            guard !parsing.isAtEnd else { return nil }
            do {
                guard try !decode(parsing) else { continue }
                if parsing.isComplete { try parsing.reader.finish() }
            } catch {
                throw failure(error)
            }
            try checkOutline(parsing)
            guard !parsing.isComplete else {
                if let end { throw missing(end.mark) }
                try readRest(parsing)
                return nil
            }
            if let chunk = try await body.next(reportsEnd: false) {
                parsing.append(chunk)
            } else {
                complete(parsing)
            }
        }
    }

    /// Decodes elements from the received bytes.
    ///
    /// - Returns: whether there was an element, a failure or a problem.
    func decode(_ parsing: Parsing) throws -> Bool {
        let isEmpty = try decoded.refill { elements in
            parsing.failure =
                try checksTexts
                ? readTexts(parsing, into: &elements) : parsing.reader.nextElements(into: &elements)
            return elements.isEmpty
        }
        return !isEmpty || parsing.failure != nil || parsing.problem != nil
    }

    /// Records that the whole body has arrived.
    func complete(_ parsing: Parsing) {
        parsing.isComplete = true
        parsing.reader.endSequence()
        state.withLock { $0.sum = parsing.sum?.value }
    }

    /// Records the received part of the document, without the list's elements.
    func noteOutline(_ parsing: Parsing) {
        guard keepsOutline else { return }
        state.withLock { $0.outline = parsing.reader.outline }
    }

    /// Records metadata that has been read.
    func note(_ metadata: [ObjectIdentifier: any Sendable]) {
        state.withLock { $0.metadata.merge(metadata) { _, new in new } }
    }

    private func note(_ item: WaybillJSONDecoder.DroppedItem) {
        dropped.add {
            var redaction = ErrorRedaction(
                ofKeys: plan.secretNames.names,
                in: nil,
                from: body.response.secrets(of: plan)
            )
            return WaybillJSONDecoder.DroppedItem(index: item.index, error: redaction.redacting(item.error))
        }
    }
}
