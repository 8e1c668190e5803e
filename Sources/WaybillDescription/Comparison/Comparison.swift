import Waybill

/// Compares operations of a client with those of a document.
struct Comparison {
    private let document: DocumentReader
    private let base: String
    private let definitions: [String: JSONSchema]

    init(_ document: DocumentReader, base: String, definitions: [String: JSONSchema]) {
        self.document = document
        self.base = base
        self.definitions = definitions
    }

    /// Returns what is different about an operation.
    func findings(of operation: DescribedOperation) -> [Finding] {
        guard let path = document.path(of: operation.path, below: base) else {
            return [
                finding(
                    .error,
                    operation,
                    "\(operation.method) \(operation.path)",
                    "#/paths",
                    "the document has no such path",
                    mostSimilar(operation.path).map { "the most similar one is \($0)" } ?? "check the path"
                )
            ]
        }
        let method = "\(operation.method)".lowercased()
        let place = "\(path.place)/\(method)"
        guard let declared = path.json[method] else {
            return [
                finding(
                    .error,
                    operation,
                    "\(operation.method)",
                    path.place,
                    "the path has no such method",
                    "it has \(path.methods.map { $0.uppercased() }.joined(separator: ", "))"
                )
            ]
        }
        let all =
            parameterFindings(operation, declared, place, path) + bodyFindings(operation, declared, place, path)
            + responseFindings(operation, declared, place) + problemFindings(operation, declared, place)
        // Several statuses share a schema, and would be found wanting once each.
        return all.uniqued
    }

    private func parameterFindings(
        _ operation: DescribedOperation,
        _ declared: JSONValue,
        _ place: String,
        _ path: DocumentReader.Path
    ) -> [Finding] {
        // The credential and the body have clauses of their own.
        let others: Set<String> = ["accept", "content-type", "authorization"]
        return document.parameters(of: declared, at: place, in: path).flatMap { parameter -> [Finding] in
            guard ["query", "header"].contains(parameter.location), !others.contains(parameter.name.lowercased()) else {
                return []
            }
            let isHeader = parameter.location == "header"
            let clause = isHeader ? "Header(\"\(parameter.name)\")" : "Query(\"\(parameter.name)\")"
            let sent = operation.parameters.first {
                $0.place.rawValue == parameter.location
                    && (isHeader ? $0.name.lowercased() == parameter.name.lowercased() : $0.name == parameter.name)
            }
            guard let sent else {
                let isKey = operation.credential?.secretName?.lowercased() == parameter.name.lowercased()
                guard parameter.isRequired, !isKey else { return [] }
                return [
                    finding(
                        .error,
                        operation,
                        clause,
                        parameter.place,
                        "the document requires the parameter, and the call does not send it",
                        "declare \(clause.dropLast()), …)"
                    )
                ]
            }
            return findings(operation, clause, sent.schema, .request, parameter.schema, "\(parameter.place)/schema")
        }
    }

    private func bodyFindings(
        _ operation: DescribedOperation,
        _ declared: JSONValue,
        _ place: String,
        _ path: DocumentReader.Path
    ) -> [Finding] {
        let expected = document.body(of: declared, at: place, in: path)
        guard let body = operation.body else {
            guard let expected, expected.isRequired else { return [] }
            return [
                finding(
                    .error,
                    operation,
                    "Body",
                    expected.place,
                    "the document requires a body, and the call sends none",
                    "declare Body(…)"
                )
            ]
        }
        guard let expected else {
            return [
                finding(
                    .error,
                    operation,
                    "Body",
                    place,
                    "the call sends a body, and the document has none",
                    "leave the body out"
                )
            ]
        }
        guard let content = expected.schemas.first(where: { $0.mediaType.matches(body.mediaType) }) else {
            guard !expected.schemas.isEmpty else { return [] }
            return [
                finding(
                    .error,
                    operation,
                    "Body",
                    expected.place,
                    "the call sends \(body.mediaType), and the document has "
                        + expected.schemas.map(\.mediaType).joined(separator: ", "),
                    "declare Bodies(as: …) or Encode(contentType: …)"
                )
            ]
        }
        guard MediaType(body.mediaType).isJSON else { return [] }
        return findings(operation, "Body", body.schema, .request, content.schema, content.place)
    }

    private func responseFindings(_ operation: DescribedOperation, _ declared: JSONValue, _ place: String) -> [Finding]
    {
        let responses = document.responses(of: declared, at: place)
        let successes = responses.filter { $0.status.hasPrefix("2") }
        guard let schema = operation.responses.first(where: { $0.status.hasPrefix("2") }) else { return [] }
        var found: [Finding] = []
        let accepted = operation.settings[Success.self]?.statuses ?? .success
        for (status, contents) in successes {
            if let code = Int(status), !accepted.contains(HTTPResponse.Status(code: code)) {
                found.append(
                    finding(
                        .error,
                        operation,
                        "Success(\(accepted))",
                        contents.place,
                        "the document has \(code) for a success, which the call takes for a failure",
                        "declare it in Success"
                    )
                )
                continue
            }
            guard let own = schema.schema, let type = schema.mediaType, !contents.schemas.isEmpty else { continue }
            guard let content = contents.schemas.first(where: { $0.mediaType.matches(type) }) else {
                found.append(
                    finding(
                        .error,
                        operation,
                        "the response",
                        contents.place,
                        "the call reads \(type), and the document has "
                            + contents.schemas.map(\.mediaType).joined(separator: ", "),
                        "declare Decode(with: …), or Header(.accept, …) if the server has a choice"
                    )
                )
                continue
            }
            found += findings(operation, "the response", own, .response, content.schema, content.place)
        }
        return found
    }

    private func problemFindings(_ operation: DescribedOperation, _ declared: JSONValue, _ place: String) -> [Finding] {
        let rules = operation.settings[ProblemRules.self]?.rules ?? []
        let failures = document.responses(of: declared, at: place).filter { !$0.status.hasPrefix("2") }
        guard !rules.isEmpty, !failures.isEmpty else { return [] }
        let declared = operation.responses.filter { !$0.status.hasPrefix("2") && $0.schema != nil }
        var found: [Finding] = []
        for response in declared where !failures.contains(where: { $0.status.meets(response.status) }) {
            found.append(
                finding(
                    .warning,
                    operation,
                    "Problem on \(response.status)",
                    "\(place)/responses",
                    "the document has no response of that status",
                    "leave the status out of Problem"
                )
            )
        }
        for (status, contents) in failures {
            // The problem of the status itself counts before that of its class.
            guard
                let response = declared.first(where: { $0.status == status })
                    ?? declared.first(where: { $0.status.meets(status) }),
                let schema = response.schema, let type = response.mediaType,
                let content = contents.schemas.first(where: { $0.mediaType.matches(type) })
            else { continue }
            let clause = "Problem on \(response.status)"
            found += findings(operation, clause, schema, .response, content.schema, content.place)
        }
        return found
    }

    private func findings(
        _ operation: DescribedOperation,
        _ clause: String,
        _ schema: JSONSchema,
        _ direction: SchemaComparison.Direction,
        _ json: JSONValue,
        _ place: String
    ) -> [Finding] {
        SchemaComparison(direction: direction, definitions: definitions, document: document)
            .differences(schema, json, at: place)
            .map { difference in
                finding(
                    difference.severity,
                    operation,
                    difference.path.isEmpty ? clause : "\(clause) at \(difference.path)",
                    difference.place,
                    difference.reason,
                    difference.advice
                )
            }
    }

    private func finding(
        _ severity: Finding.Severity,
        _ operation: DescribedOperation,
        _ clause: String,
        _ place: String,
        _ reason: String,
        _ advice: String
    ) -> Finding {
        Finding(
            severity: severity,
            call: "\(operation.method) \(operation.template)",
            clause: clause,
            place: place,
            reason: reason,
            advice: advice
        )
    }

    /// Returns the path of the document with the most segments in common.
    private func mostSimilar(_ path: String) -> String? {
        let own = Set(path.split(separator: "/"))
        return document.paths.map { ($0.template, own.intersection($0.template.split(separator: "/")).count) }
            .filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
    }
}

extension String {
    /// Whether a media type of a document is a type; `application/json` stands for all types of JSON.
    fileprivate func matches(_ type: String) -> Bool {
        self == type || self == "*/*" || (MediaType(self).isJSON && MediaType(type).isJSON)
            || (hasSuffix("/*") && type.hasPrefix(dropLast()))
    }

    /// Whether two statuses, such as `404`, `4XX` or `default`, have one in common.
    fileprivate func meets(_ other: String) -> Bool {
        if lowercased() == "default" || other.lowercased() == "default" || self == other { return true }
        return (hasSuffix("XX") || other.hasSuffix("XX")) && first == other.first
    }
}
