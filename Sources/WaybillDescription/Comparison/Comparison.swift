import Waybill

/// A comparison of a client's calls with the operations of a document.
struct Comparison {
    let document: DocumentReader
    let definitions: [String: JSONSchema]

    /// The declared problems that the document lists for at least one call.
    let listedProblems: Set<ListedProblem>

    private let paths: DocumentPaths
    private(set) var findings = FindingList()

    init(_ document: DocumentReader, base: String, definitions: [String: JSONSchema], _ calls: [DescribedOperation]) {
        self.document = document
        self.definitions = definitions
        let paths = DocumentPaths(document, below: base)
        self.paths = paths
        listedProblems = Set(
            calls.flatMap { call -> [ListedProblem] in
                paths.matches(of: call.path).lazy.compactMap { $0.operation(call.plan.method) }.first?
                    .listedProblems(of: call, document) ?? []
            }
        )
        for call in calls where !call.isAtURL { add(call) }
        addBase(base, of: calls)
        addLinks(of: calls)
        addBrokenReferences()
    }

    /// Reports a base URL whose path matches none of the document's servers.
    private mutating func addBase(_ base: String, of calls: [DescribedOperation]) {
        let known = calls.filter { !$0.isAtURL && !paths.matches(of: $0.path).isEmpty }
        guard let call = known.first, !paths.serverPaths.isEmpty,
            !known.contains(where: { paths.containsFullPath(of: $0.path) })
        else { return }
        let servers = paths.serverPaths.map { $0.isEmpty ? "/" : $0 }.joined(separator: ", ")
        add(
            .warning,
            .path,
            call,
            "the base URL",
            "#/servers",
            "its path is \(base.isEmpty ? "/" : base), but the document's servers have \(servers)",
            "check the client's URL",
            requiresSamePlace: false
        )
    }

    /// Reports unresolvable references, because their targets are not compared.
    private mutating func addBrokenReferences() {
        for (reference, place) in document.brokenReferences {
            let isExternal = !reference.hasPrefix("#")
            let finding = OpenAPIDocument.Finding(
                severity: isExternal ? .information : .warning,
                calls: [],
                clause: "$ref \(reference)",
                place: place,
                reason: isExternal
                    ? "it refers to another file, which is not compared"
                    : "it does not resolve within the document, so its target is not compared",
                advice: isExternal ? "" : "correct the document"
            )
            findings.add(finding, .path, sharing: place, reference)
        }
    }

    /// Compares one call with the document.
    private mutating func add(_ call: DescribedOperation) {
        let matches = paths.matches(of: call.path)
        guard let first = matches.first else {
            return add(
                .error,
                .path,
                call,
                "\(call.plan.method) \(call.path)",
                "#/paths",
                "the document has no such path",
                paths.nearest(to: call.path, method: call.plan.method)
                    .map { "the closest match is \($0)" } ?? "check the path"
            )
        }
        guard let operation = matches.lazy.compactMap({ $0.operation(call.plan.method) }).first else {
            let methods = matches.flatMap(\.methods).uniqued
            return add(
                .error,
                .method,
                call,
                "\(call.plan.method)",
                first.place,
                "the path has no such method",
                methods.isEmpty ? "check the path" : "use \(methods.joined(separator: " or "))"
            )
        }
        addParameters(of: call, operation)
        addCookies(of: call, operation)
        addSecurity(of: call, operation)
        addBody(of: call, operation)
        addResponses(of: call, operation)
        addProblems(of: call, operation)
    }

    /// Adds a finding.
    ///
    /// - Parameters:
    ///   - severity: the severity.
    ///   - subject: the differing part of the call.
    ///   - call: the affected call.
    ///   - clause: the differing clause or value.
    ///   - place: the location in the document.
    ///   - reason: the difference.
    ///   - advice: the remedy.
    ///   - requiresSamePlace: whether only calls with the same location in the document share the finding.
    mutating func add(
        _ severity: OpenAPIDocument.Finding.Severity,
        _ subject: FindingList.Subject,
        _ call: DescribedOperation,
        _ clause: String,
        _ place: String,
        _ reason: String,
        _ advice: String,
        requiresSamePlace: Bool = true
    ) {
        let finding = OpenAPIDocument.Finding(
            severity: severity,
            calls: ["\(call.plan.method) \(call.plan.template)"],
            clause: clause,
            place: place,
            reason: reason,
            advice: advice
        )
        findings.add(finding, subject, sharing: requiresSamePlace ? place : "", clause)
    }

    /// Reports a resource operation that cannot be planned and is therefore not compared.
    mutating func add(unplanned error: APIError) {
        let call = "\(error.call.method) \(error.call.template)"
        let finding = OpenAPIDocument.Finding(
            severity: .information,
            calls: [call],
            clause: "the operation",
            place: "#/paths",
            reason: "it cannot be planned, so it is not compared: \(error)",
            advice: ""
        )
        findings.add(finding, .path, sharing: "#/paths", call)
    }

    /// Adds the differences between a client's schema and the document's.
    mutating func add(
        differencesOf schema: JSONSchema,
        _ subject: FindingList.Subject,
        _ call: DescribedOperation,
        _ clause: String,
        _ direction: SchemaComparison.Direction,
        _ other: LocatedSchema
    ) {
        let decoder = call.plan.settings[Decode.self]?.decoder ?? JSONSchema.Document.usualDecoder
        var comparison = SchemaComparison(
            direction: direction,
            definitions: definitions,
            document: document,
            keys: DecodingConventions.keys(of: decoder)
        )
        for difference in comparison.differences(schema, other.json, at: other.place) {
            let finding = OpenAPIDocument.Finding(
                severity: difference.severity,
                calls: ["\(call.plan.method) \(call.plan.template)"],
                clause: difference.path.isEmpty ? clause : "\(clause) at \(difference.path)",
                place: difference.place,
                reason: difference.reason,
                advice: difference.advice
            )
            // The same member can differ under several clauses, such as in a list and in a single item.
            findings.add(finding, subject, sharing: difference.place, difference.member)
        }
    }
}

extension String {
    /// Whether two status keys, such as `404`, `4XX` or `default`, overlap.
    func overlaps(_ other: String) -> Bool {
        if lowercased() == "default" || other.lowercased() == "default" || self == other { return true }
        return (hasSuffix("XX") || other.hasSuffix("XX")) && first == other.first
    }
}

extension DocumentReader.Contents {
    /// Returns the content for a media type, preferring an exact match to a range or a different JSON type.
    func content(of type: String) -> (mediaType: String, schema: LocatedSchema)? {
        schemas.first { $0.mediaType == type }.map { ($0.mediaType, $0.located) }
            ?? schemas.first { $0.mediaType.matches(type) }.map { ($0.mediaType, $0.located) }
    }
}

extension String {
    /// Whether a document's media type or range covers a type; each JSON type covers every other.
    fileprivate func matches(_ type: String) -> Bool {
        self == type || self == "*/*" || (MediaType(self).isJSON && MediaType(type).isJSON)
            || (hasSuffix("/*") && type.hasPrefix(dropLast()))
    }
}
