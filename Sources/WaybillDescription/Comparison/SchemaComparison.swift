import Waybill

/// A comparison of a client's type with a document's schema, member by member.
struct SchemaComparison {
    /// The direction in which the value is sent.
    enum Direction {
        /// The client sends the value.
        case request
        /// The client sends the value as text in a query, a header field or a form.
        case text
        /// The client reads the value.
        case response
        /// The client reads the value and merges it into the sent one.
        case partialResponse
    }

    /// A difference, independent of any call.
    struct Difference {
        var severity: OpenAPIDocument.Finding.Severity

        /// The path below the compared value; empty for the value itself.
        var path = ""
        var place: String
        var reason: String
        var advice: String

        /// The differing member; empty for the value itself.
        var member = ""

        /// Whether the difference is an unlisted member, and disappears if another alternative lists the member.
        var isAbsence = false
    }

    /// The maximum number of schema pairs compared for one body, parameter or response.
    static let maximumComparisons = 10_000

    /// The maximum nesting depth of schemas.
    static let maximumDepth = 100

    let direction: Direction
    let document: DocumentReader
    private let definitions: JSONSchema.Document
    private var known: [Pair: [Difference]] = [:]
    private var open: Set<Pair> = []
    private var isIncomplete = false

    /// The number of schema pairs compared so far.
    private(set) var comparisonCount = 0

    private struct Pair: Hashable {
        let schema: JSONSchema
        let other: [String]
    }

    /// The key decoding strategy of the client.
    let keys: WaybillJSONDecoder.KeyDecodingStrategy

    init(
        direction: Direction,
        definitions: [String: JSONSchema],
        document: DocumentReader,
        keys: WaybillJSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) {
        self.keys = keys
        self.direction = direction
        self.definitions = JSONSchema.Document(definitions: definitions)
        self.document = document
    }

    var isResponse: Bool { direction == .response || direction == .partialResponse }

    /// Returns the differences between a client's schema and a document's schema.
    mutating func differences(_ schema: JSONSchema, _ json: JSONValue, at place: String) -> [Difference] {
        let found = compare(
            schema,
            DocumentSchema([LocatedSchema(json: json, place: place)], in: document),
            isRoot: true
        )
        guard isIncomplete else { return found }
        let reason = """
            the schemas exceed \(Self.maximumComparisons) pairs or \(Self.maximumDepth) levels, \
            and the rest is not compared
            """
        let limit = Difference(
            severity: .warning,
            place: place,
            reason: reason,
            advice: "check the remaining members by hand"
        )
        return [limit] + found
    }

    mutating func compare(_ schema: JSONSchema, _ others: [LocatedSchema]) -> [Difference] {
        compare(schema, DocumentSchema(others, in: document))
    }

    /// Compares a pair of schemas, and caches the result because one pair can be reached along many paths.
    ///
    /// - Parameters:
    ///   - schema: the schema of the client.
    ///   - other: the schema of the document.
    ///   - isRoot: whether the value is the whole body.
    /// - Returns: the differences.
    private mutating func compare(
        _ schema: JSONSchema,
        _ other: DocumentSchema,
        isRoot: Bool = false
    ) -> [Difference] {
        guard schema.form != .any, let schema = definitions.resolving(schema) else { return [] }
        let pair = Pair(schema: schema, other: other.identity)
        if let found = known[pair] { return found }
        // The comparison of this pair is already in progress if the type is recursive.
        guard !open.contains(pair) else { return [] }
        guard comparisonCount < Self.maximumComparisons, open.count < Self.maximumDepth else {
            isIncomplete = true
            return []
        }
        comparisonCount += 1
        open.insert(pair)
        var all = valueDifferences(schema, other, isRoot: isRoot)
        if let difference = nullDifference(schema, other) { all.insert(difference, at: 0) }
        let found = all.withoutDuplicates
        open.remove(pair)
        known[pair] = found
        return found
    }

    private mutating func valueDifferences(
        _ schema: JSONSchema,
        _ other: DocumentSchema,
        isRoot: Bool
    ) -> [Difference] {
        // The document must accept every case sent by the client, and the client must read every alternative of the
        // document.
        if !isResponse, let cases = schema.sentCases {
            return cases.flatMap { compare($0, other, isRoot: isRoot) }
        }
        let alternatives = other.alternatives(splitsTypes: isResponse)
        if !alternatives.isEmpty {
            let found = alternatives.map { compare(schema, $0, isRoot: isRoot) }
            return isResponse ? Self.differences(ofEach: found, isRoot: isRoot) : found.best
        }
        switch schema.form {
        case .oneOf(let schemas), .anyOf(let schemas): return schemas.map { compare($0, other, isRoot: isRoot) }.best
        default: return formDifferences(schema, other)
        }
    }

    /// Returns the combined differences of alternatives, any of which the server can send.
    ///
    /// For a whole body, one matching alternative is enough: the request determines which one the server sends, such
    /// as an entity or a list of entities.
    private static func differences(ofEach all: [[Difference]], isRoot: Bool) -> [Difference] {
        let fitting = all.filter { $0.errorCount == 0 }
        guard let first = fitting.first else { return all.best }
        let absences = fitting.dropFirst().reduce(into: Set(first.filter(\.isAbsence).map(\.path))) { common, other in
            common.formIntersection(other.filter(\.isAbsence).map(\.path))
        }
        let rejected = all.compactMap { differences -> Difference? in
            guard var difference = differences.first(where: { $0.severity == .error }) else { return nil }
            difference.severity = .warning
            difference.reason = "one of the document's alternatives does not match: \(difference.reason)"
            return difference
        }
        let others = fitting.flatMap { $0 }.filter { !$0.isAbsence || absences.contains($0.path) }
        guard isRoot else { return rejected + others }
        let unread = fitting.map { $0.filter { $0.severity == .information } }.min { $0.count < $1.count } ?? []
        return others.filter { $0.severity != .information } + unread
    }

    private func nullDifference(_ schema: JSONSchema, _ other: DocumentSchema) -> Difference? {
        guard isResponse, other.isNullable, !definitions.acceptsNull(schema) else { return nil }
        return Difference(
            severity: .error,
            place: other.place,
            reason: "the document allows null, but the type does not decode it",
            advice: "make the property optional"
        )
    }

    private mutating func formDifferences(_ schema: JSONSchema, _ other: DocumentSchema) -> [Difference] {
        switch schema.form {
        case .object(let properties):
            guard accepts(["object"], other) else { return [typeDifference("an object", other)] }
            return memberDifferences(properties, other)
        case .dictionary(let value, _):
            guard accepts(["object"], other) else { return [typeDifference("an object", other)] }
            return dictionaryDifferences(value, other)
        case .array(let element, _):
            guard accepts(["array"], other) else { return [typeDifference("an array", other)] }
            let leading = other.leadingItems.flatMap { compare(element, $0) }
            return (leading + (other.items.isEmpty ? [] : compare(element, other.items))).map { $0.below("[]") }
        case .tuple(let elements):
            guard accepts(["array"], other) else { return [typeDifference("an array", other)] }
            return elements.enumerated().flatMap { index, element in
                let others = other.leadingItems.indices.contains(index) ? other.leadingItems[index] : other.items
                return others.isEmpty ? [] : compare(element, others).map { $0.below("[\(index)]") }
            }
        case .boolean: return scalarDifferences(schema, "a Boolean", ["boolean"], other)
        case .integer:
            return scalarDifferences(schema, "an integer", isResponse ? ["integer"] : ["integer", "number"], other)
        case .number: return scalarDifferences(schema, "a number", ["integer", "number"], other)
        case .string, .base64: return scalarDifferences(schema, "a string", ["string"], other)
        case .enumeration(let values, let isOpen):
            let type = values.first?.stringValue == nil ? "integer" : "string"
            let found = scalarDifferences(schema, "an enum of \(type)s", [type], other)
            return found.isEmpty ? [enumDifference(values, isOpen: isOpen, other)].compactMap { $0 } : found
        case .any, .null, .reference, .oneOf, .anyOf: return []
        }
    }

    /// Compares the values of a dictionary with the members of an object.
    private mutating func dictionaryDifferences(_ value: JSONSchema, _ other: DocumentSchema) -> [Difference] {
        var found = other.additional.isEmpty ? [] : compare(value, other.additional).map { $0.below("[…]") }
        guard isResponse else { return found }
        for (name, schemas) in other.properties.sorted(by: { $0.key < $1.key }) {
            found += compare(value, schemas).map { $0.below(member: name) }
        }
        return found
    }

    private mutating func scalarDifferences(
        _ schema: JSONSchema,
        _ name: String,
        _ types: Set<String>,
        _ other: DocumentSchema
    ) -> [Difference] {
        if accepts(types, other) { return [] }
        if direction == .text {
            // In text, a number matches a string, and one item matches an array with one element.
            if other.types.contains("string") { return [] }
            if other.types.contains("array") { return other.items.isEmpty ? [] : compare(schema, other.items) }
        }
        return [typeDifference(name, other)]
    }

    private func enumDifference(_ values: [JSONValue], isOpen: Bool, _ other: DocumentSchema) -> Difference? {
        // If the document specifies an array, its elements have already been compared.
        guard let allowed = other.values, other.types != ["array"] else { return nil }
        if isResponse {
            let missing = allowed.filter { !values.contains($0) }
            guard !missing.isEmpty, !isOpen else { return nil }
            return Difference(
                severity: .error,
                place: other.place,
                reason: "the document allows \(missing.listed), which the enum lacks",
                advice: "add a case, or one for unknown values"
            )
        }
        let rejected = values.filter { !allowed.contains($0) }
        guard !rejected.isEmpty else { return nil }
        return Difference(
            severity: .error,
            place: other.place,
            reason: "the enum has \(rejected.listed), which the document does not allow",
            advice: "remove the case"
        )
    }

    private func accepts(_ types: Set<String>, _ other: DocumentSchema) -> Bool {
        if other.types.isEmpty { return true }
        // The client must read all types of a response, but the document need accept only one type of a request.
        return isResponse ? other.types.isSubset(of: types) : !other.types.isDisjoint(with: types)
    }

    private func typeDifference(_ own: String, _ other: DocumentSchema) -> Difference {
        Difference(
            severity: .error,
            place: other.place,
            reason: "the client \(isResponse ? "reads" : "sends") \(own), but the document specifies "
                + other.types.sorted().joined(separator: " or "),
            advice: "change the property's type"
        )
    }
}

extension SchemaComparison.Difference {
    /// Returns the difference with a step prepended to its path.
    func below(_ step: String) -> Self {
        var difference = self
        difference.path = path.first == "[" || path.isEmpty ? step + path : "\(step).\(path)"
        return difference
    }

    /// Returns the difference with a member prepended to its path.
    func below(member name: String) -> Self {
        var difference = below(name)
        if difference.member.isEmpty { difference.member = name }
        return difference
    }
}

extension [SchemaComparison.Difference] {
    /// The number of errors.
    fileprivate var errorCount: Int { count { $0.severity == .error } }

    /// The differences without those found again along another path.
    fileprivate var withoutDuplicates: Self {
        var seen: Set<[String]> = []
        return filter { seen.insert([$0.severity.rawValue, $0.place, $0.reason, $0.member]).inserted }
    }
}

extension [[SchemaComparison.Difference]] {
    /// The list with the fewest errors and, among those, the fewest warnings.
    fileprivate var best: [SchemaComparison.Difference] {
        self.min { left, right in
            let lefts = (left.errorCount, left.count { $0.severity == .warning })
            return lefts < (right.errorCount, right.count { $0.severity == .warning })
        } ?? []
    }
}

extension JSONSchema {
    /// The cases that the client is known to send; nil if it can send any allowed value.
    fileprivate var sentCases: [JSONSchema]? {
        switch form {
        case .oneOf(let schemas): schemas
        // A type that decodes several forms encodes only one of them, unless the forms were sampled from sent values.
        case .anyOf(let schemas) where schemas.allSatisfy { $0.origin == .sampled }: schemas
        default: nil
        }
    }
}

extension [JSONValue] {
    fileprivate var listed: String { map(\.description).joined(separator: ", ") }
}
