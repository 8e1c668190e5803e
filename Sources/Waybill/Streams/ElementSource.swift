import WaybillJSON
import WaybillSystem

/// The source of the elements of an opened response, for one task at a time.
final class ElementSource<Element: Decodable & Sendable>: Sendable {
    /// The reader of the elements, and what surrounds them.
    ///
    /// `@unchecked Sendable`: the source lends it to one task at a time.
    final class Parsing: @unchecked Sendable {
        var reader: Reader
        /// The failure of the element after those that have been decoded.
        var failure: DroppedItem?
        /// The text after the elements that have been decoded, if it is a declared problem.
        var problem: JSONValue?
        /// The bytes before the list, as far as a problem in its place may need them.
        var beginning = Data()
        var isComplete = false
        /// The checksum of the body so far; nil if it is not wanted.
        var sum: XXHash?
        /// Writes an object of entities as the list that the reader knows.
        private var keyedList: KeyedList?

        init(_ reader: Reader, _ keyedList: KeyedList?) {
            self.reader = reader
            self.keyedList = keyedList
        }

        /// Takes the next chunk of the body.
        func append(_ chunk: Data) {
            reader.append(keyedList?.write(chunk) ?? chunk)
            if sum != nil { chunk.withUnsafeBytes { sum?.add($0) } }
        }
    }

    private struct State: Sendable {
        /// The reader; nil while a task uses it.
        var parsing: Parsing?
        var isOver = false
        var metadata: [ObjectIdentifier: any Sendable] = [:]
        var dropped: [DroppedItem] = []
        var droppedCount = 0
        /// The number of elements, dropped ones included.
        var count = 0
        /// The document without the elements, as far as it has come, if it is kept.
        var outline: Data?
        var sum: UInt64?
    }

    /// The number of dropped elements that are kept: each holds the chunk that it was in.
    private static var mostDropped: Int { 100 }

    let body: BodyReader
    let decoded = DecodedElements<Element>()
    /// Whether the document without its elements is kept for another reader than ``Metadata``.
    let keepsOutline: Bool
    /// Whether each text may be a declared problem.
    private let checksTexts: Bool
    private let state: Locked<State>

    private init(_ body: BodyReader, _ parsing: Parsing, keepsOutline: Bool, checksTexts: Bool) {
        self.body = body
        self.checksTexts = checksTexts
        self.keepsOutline = keepsOutline
        state = Locked(State(parsing: parsing))
    }

    /// Sends a call and returns when its list begins.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - client: the client.
    ///   - keepsOutline: whether ``outline`` is wanted.
    ///   - keepsSum: whether ``bodySum`` is wanted.
    /// - Returns: the elements to read.
    /// - Throws: ``APIError``.
    static func open(
        _ plan: Plan,
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
        let keyedList = form.sequence == nil ? plan.settings[Envelope.self]?.keyedList(of: Element.self) : nil
        let parsing = Parsing(
            reader(decoder, form, body, keepsOutline: keepsOutline),
            keyedList.map { KeyedList($0) }
        )
        if keepsSum { parsing.sum = XXHash() }
        let source = ElementSource(body, parsing, keepsOutline: keepsOutline, checksTexts: !problems.isEmpty)
        try await source.begin()
        return source
    }

    /// The number of elements so far, dropped ones included.
    var elementCount: Int { state.withLock { $0.count } }

    /// The document without its elements: up to the list at first, and the whole at the end; nil if it is not kept, or
    /// if the body is a sequence of texts.
    var outline: Data? { state.withLock { $0.outline } }

    /// A checksum of the body, when it has ended.
    var bodySum: UInt64? { state.withLock { $0.sum } }

    var plan: Plan { body.call.plan }

    /// The first of the elements that were left out.
    var droppedItems: [DroppedItem] { state.withLock { $0.dropped } }

    /// The number of elements that were left out.
    var droppedItemCount: Int { state.withLock { $0.droppedCount } }

    /// Returns declared metadata that has been read.
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
                guard plan.settings[DropInvalidItems.self] != nil else {
                    let error = failure(item.error)
                    await end(with: error)
                    throw error
                }
                note(item)
            }
        }
        return nil
    }

    private func nextResult() async throws(APIError) -> Result<Element, DroppedItem>? {
        if let element = decoded.next() { return .success(element) }
        return try await lent { (parsing) async throws(APIError) in try await self.nextResult(parsing) }
    }

    private func end(with error: APIError) async {
        state.withLock { ($0.isOver, $0.parsing) = (true, nil) }
        await body.fail(error)
    }

    /// Lends the reader to a closure, whose nil means the end, as an error does.
    private func lent<Result: Sendable>(
        _ work: (Parsing) async throws(APIError) -> Result?
    ) async throws(APIError) -> Result? {
        let (parsing, isOver) = state.withLock { state in (state.parsing.take(), state.isOver) }
        guard !isOver else { return nil }
        guard let parsing else {
            let error = TransportError(.other, "another task reads the stream at the same time")
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

    private func nextResult(_ parsing: Parsing) async throws(APIError) -> Result<Element, DroppedItem>? {
        while true {
            if let element = decoded.next() { return .success(element) }
            if let problem = parsing.problem { throw failure(ofProblem: problem) }
            if let failure = parsing.failure.take() { return .failure(failure) }
            do {
                guard try !decode(parsing) else { continue }
                if parsing.isComplete { try parsing.reader.finish() }
            } catch {
                throw failure(error)
            }
            try checkOutline(parsing)
            guard !parsing.isComplete else {
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

    /// Decodes elements of the bytes that have come.
    ///
    /// - Returns: whether there were any.
    func decode(_ parsing: Parsing) throws -> Bool {
        let isEmpty = try decoded.refill { elements in
            parsing.failure =
                try checksTexts
                ? readTexts(parsing, into: &elements) : parsing.reader.nextElements(into: &elements)
            return elements.isEmpty
        }
        return !isEmpty || parsing.failure != nil || parsing.problem != nil
    }

    /// Notes that all of the body has come.
    func complete(_ parsing: Parsing) {
        parsing.isComplete = true
        parsing.reader.endSequence()
        state.withLock { $0.sum = parsing.sum?.value }
    }

    /// Notes the document without its elements, as far as it has come.
    func noteOutline(_ parsing: Parsing) {
        guard keepsOutline else { return }
        state.withLock { $0.outline = parsing.reader.outline }
    }

    /// Notes metadata that has been read.
    func note(_ metadata: [ObjectIdentifier: any Sendable]) {
        state.withLock { $0.metadata.merge(metadata) { _, new in new } }
    }

    private func note(_ item: DroppedItem) {
        let isShown = state.withLock { state in
            state.droppedCount += 1
            return state.droppedCount <= Self.mostDropped
        }
        guard isShown else { return }
        var redaction = ErrorRedaction(ofKeys: plan.secretNames.names, in: nil, from: body.response.secrets(of: plan))
        let shown = DroppedItem(index: item.index, error: redaction.redacting(item.error))
        state.withLock { $0.dropped.append(shown) }
    }
}
