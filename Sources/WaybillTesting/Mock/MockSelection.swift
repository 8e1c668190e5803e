import Waybill
import WaybillDescription

/// The selection of the call that matches a request, among calls with the same method and path.
///
/// The rules apply in the order of ``Rule``. Each rule keeps the calls that match the request best, and the next rule
/// compares only those. The remaining calls must have the same response.
struct MockSelection {
    /// A rule that selects calls by a difference between their requests.
    ///
    /// The cases are in order of reliability. Differences that only a different call can cause come first; differences
    /// that different arguments of the same call can also cause come last.
    enum Rule: CaseIterable {
        /// The presence of a body, and whether it is JSON or has another media type.
        ///
        /// This rule comes first because no call can read a body in another format, regardless of its members' names.
        case format

        /// Whether the body is an array.
        ///
        /// An array is never the body of a call that sends one item. The exact media type is less reliable, because
        /// the mock accepts every JSON type for a JSON body.
        case array

        /// The exact media type of a JSON body, such as that of a merge patch.
        case mediaType

        /// The words in the query, the header fields and the declared members; a different call's word is a mismatch.
        ///
        /// Clauses declare these words to select a call. They precede the schema, because a schema without required
        /// members matches almost any object.
        case words

        /// The schema of the body.
        case schema

        /// The words in the body's members, which are usually arguments.
        case values

        /// The names of query items, header fields and members, except those of later pages.
        ///
        /// A request can omit an optional name, but a word that is another call's example rarely occurs by chance.
        case names

        /// Numbers and other values that are not words; they are nearly always arguments.
        case numbers
    }

    /// The result of the selection.
    enum Outcome {
        case operation(MockOperation)
        /// No matching call; the associated value is the reason.
        case none(reason: String)
    }

    private let possible: [MockOperation]
    private let sent: RequestFeatures
    private let document: JSONValue?
    private let hasBody: Bool

    /// Creates the selection for a request.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - operations: the calls with its method and path.
    init(_ request: ReceivedRequest, among operations: [MockOperation]) {
        // Omits a standalone call that duplicates an operation of a resource.
        possible = operations.filter { call in
            call.entity != nil || !operations.contains { $0.entity != nil && $0.isSameOperation(as: call) }
        }
        hasBody = !request.body.isEmpty
        document = hasBody ? operations.first.flatMap { try? request.document($0) } : nil
        sent = RequestFeatures(request, document)
    }

    /// The result of the selection.
    var outcome: Outcome {
        let isDecisive = possible.contains { $0.answer != possible.first?.answer }
        if isDecisive, let reason = undeclaredWord { return .none(reason: reason) }
        let found = Rule.allCases.reduce(possible) { remaining, rule in
            guard remaining.count > 1 else { return remaining }
            let distances = remaining.map { distance($0, by: rule, among: remaining) }
            return zip(remaining, distances).filter { $1 == distances.min() }.map(\.0)
        }
        guard let best = found.first else { return .none(reason: "No declared call has this method and path") }
        guard !found.contains(where: { $0.answer != best.answer }) else {
            return .none(
                reason: "The mock cannot distinguish these calls, because their requests are alike:"
                    + " \(found.map(\.identifier).joined(separator: ", ")). Declare the difference with"
                    + " Query, Header or Body.Member"
            )
        }
        return .operation(found.first { $0.entity != nil } ?? reading(insteadOf: best) ?? best)
    }

    /// Returns a list or read operation whose response has the same shape as a call's, or nil.
    private func reading(insteadOf call: MockOperation) -> MockOperation? {
        possible.first { operation in
            operation.entity != nil && (operation.operation == .list || operation.operation == .read)
                && operation.answer == call.answer
                && [Rule.format, .array, .mediaType, .schema].allSatisfy { rule in
                    distance(operation, by: rule, among: possible) == 0
                }
        }
    }

    /// The reason to reject the request if no distinguishing field or member has a declared word; otherwise nil.
    private var undeclaredWord: String? {
        let selectors = Set(possible.flatMap(\.words.keys)).filter { part in
            if case .query = part { return false }
            return possible.allSatisfy { $0.words[part] != nil } && Set(possible.map { $0.words[part] }).count > 1
        }
        let unknown = selectors.sorted { $0.description < $1.description }.filter { part in
            !possible.contains { $0.words[part] == word(at: part) }
        }
        guard let part = unknown.first, unknown.count == selectors.count else { return nil }
        let declared = Set(possible.compactMap { $0.words[part] }).sorted().map(\.debugDescription)
        return "No declared call has this request: \(part) is \(word(at: part)?.debugDescription ?? "missing"), and"
            + " the declared calls have \(declared.joined(separator: ", ")). List the call in the API's calls"
    }

    private func word(at part: MockOperation.Part) -> String? {
        switch part {
        case .query(let name): sent.values[.query(name)] ?? nil
        case .field(let name): sent.values[.field(name)] ?? nil
        case .member(let path): document?.value(at: path)?.stringValue
        }
    }
}

extension MockSelection {
    /// Returns the number of differences between a request and a call under one rule; 0 for a match.
    private func distance(_ operation: MockOperation, by rule: Rule, among others: [MockOperation]) -> Int {
        switch rule {
        case .format: hasOtherFormat(operation) ? 1 : 0
        case .array: differsInArray(operation) ? 1 : 0
        case .mediaType: hasOtherJSONType(operation) ? 1 : 0
        case .words:
            operation.words.count { part, own in
                guard let word = word(at: part), word != own else { return false }
                return others.contains { $0.words[part] == word }
            }
        case .schema: fitsSchema(operation) ? 0 : 1
        case .values: contradictions(of: operation, among: others) { $0.isMember && $1.isWord }
        case .names:
            Set(others.flatMap(\.names) + others.flatMap(\.laterNames)).count { name in
                guard !operation.laterNames.contains(name) else { return false }
                return operation.names.contains(name) != (sent.values[name] != nil)
            }
        case .numbers: contradictions(of: operation, among: others) { !$1.isWord }
        }
    }

    /// Returns the number of sent values that differ from those of a call but equal those of another call.
    private func contradictions(
        of operation: MockOperation,
        among others: [MockOperation],
        where counts: (RequestFeatures.Name, String) -> Bool
    ) -> Int {
        operation.features.values.count { name, own in
            guard let own, let value = sent.values[name] ?? nil, value != own, counts(name, value) else { return false }
            return others.contains { $0.features.values[name] == value }
        }
    }

    /// The media types of a call's body and of the sent one; nil unless both are known.
    private func bodyTypes(_ operation: MockOperation) -> (declared: String, sent: String, areJSON: Bool)? {
        guard hasBody, let declared = operation.bodyType, let sent = sent.mediaType else { return nil }
        return (declared, sent, MediaType(declared).isJSON && MediaType(sent).isJSON)
    }

    private func hasOtherFormat(_ operation: MockOperation) -> Bool {
        guard let types = bodyTypes(operation) else { return hasBody || operation.requiresBody }
        return types.declared != types.sent && !types.areJSON
    }

    private func hasOtherJSONType(_ operation: MockOperation) -> Bool {
        bodyTypes(operation).map { $0.declared != $0.sent && $0.areJSON } ?? false
    }

    /// Whether only one of the two bodies is an array.
    private func differsInArray(_ operation: MockOperation) -> Bool {
        guard bodyTypes(operation) != nil, let isArray = operation.features.isArray, let isSentArray = sent.isArray
        else { return false }
        return isArray != isSentArray
    }

    private func fitsSchema(_ operation: MockOperation) -> Bool {
        guard let document, let schema = operation.body, sent.mediaType.map({ MediaType($0).isJSON }) ?? false else {
            return true
        }
        let isPartial = operation.operation == .patch || operation.operation == .updateBatch
        return operation.schemas.problem(of: document, schema, isPartial: isPartial) == nil
    }
}

extension RequestFeatures {
    /// Reads the features of a request.
    fileprivate init(_ request: ReceivedRequest, _ document: JSONValue?) {
        self.init()
        for item in request.queryItems {
            let earlier = values[.query(item.name)] ?? nil
            values[.query(item.name)] = .some((earlier.map { $0 + "," } ?? "") + (item.value ?? ""))
        }
        for field in request.headerFields { values[.field(field.name)] = .some(field.value) }
        mediaType = request.headerFields[.contentType].map { MediaType($0).essence }
        add(members: document)
        isArray = document.map { $0.arrayValue != nil }
    }
}

extension RequestFeatures.Name {
    fileprivate var isMember: Bool { if case .member = self { true } else { false } }
}
