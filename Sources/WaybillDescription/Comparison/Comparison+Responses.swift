import Waybill

extension Comparison {
    /// A declared problem that the document lists for at least one call.
    struct ListedProblem: Hashable {
        let status: String
        let schema: JSONSchema?
    }

    /// Compares the document's success responses with the value read by a call.
    mutating func addResponses(of call: DescribedOperation, _ operation: DocumentPaths.Operation) {
        let successes = call.plan.settings[Success.self]?.statuses ?? .success
        let responses = document.responses(of: operation)
        // Without an explicit success status, `default` can describe a success.
        let isNamed = responses.contains { $0.status.hasPrefix("2") }
        for (status, contents) in responses where status.hasPrefix("2") || (!isNamed && status == "DEFAULT") {
            if let code = Int(status), !successes.contains(HTTPResponse.Status(code: code)) {
                add(
                    .error,
                    .status,
                    call,
                    "Success(\(successes))",
                    contents.place,
                    "the document lists \(code) as a success, but the call treats it as a failure",
                    "add it to Success"
                )
            } else if let accepted = call.shape.accepted, status == accepted.status {
                addAccepted(of: call, accepted, contents)
                continue
            }
            addFields(of: call, contents)
            if !contents.schemas.isEmpty {
                addContent(of: call, contents)
            } else if status == "204" || status == "205" {
                addMissingBody(of: call, contents, isOnly: responses.count { $0.status.hasPrefix("2") } == 1)
            }
        }
    }

    /// Reports unlisted header fields that a call reads.
    private mutating func addFields(of call: DescribedOperation, _ contents: DocumentReader.Contents) {
        for field in call.shape.fields
        where !contents.fields.contains(where: { $0.lowercased() == field.name.lowercased() }) {
            add(
                field.isRequired ? .warning : .information,
                .response,
                call,
                "Metadata(field: \"\(field.name)\")",
                contents.place,
                "the document has no such header field in the response",
                SimilarKeys.nearest(to: field.name, among: contents.fields).map { "did you mean \"\($0)\"?" }
                    ?? (field.isRequired ? "declare an optional type if responses can lack it" : "check its name")
            )
        }
    }

    /// Reports a response without a body if the call needs one.
    private mutating func addMissingBody(
        of call: DescribedOperation,
        _ contents: DocumentReader.Contents,
        isOnly: Bool
    ) {
        let shape = call.shape
        guard shape.form == .value, shape.needsBody, !shape.acceptsEmptyBody, shape.accepted == nil else { return }
        let isWrite = call.plan.write != nil
        add(
            isOnly ? .error : .warning,
            .response,
            call,
            "the response",
            contents.place,
            "the document has no body here, but the call reads one",
            isWrite
                ? "declare WriteResult(.sent) or WriteResult(.reread)"
                : "declare Void, or an optional value"
        )
    }

    /// Compares the response that starts a long-running operation.
    private mutating func addAccepted(
        of call: DescribedOperation,
        _ accepted: DescribedOperation.Response,
        _ contents: DocumentReader.Contents
    ) {
        guard let schema = accepted.schema, let type = accepted.mediaType, let content = contents.content(of: type)
        else { return }
        add(differencesOf: schema, .response, call, "the status location", .response, content.schema)
    }

    /// Reports a call that reads text although the document describes JSON.
    private mutating func addText(of call: DescribedOperation, _ contents: DocumentReader.Contents) {
        guard call.shape.form == .text, let content = contents.schemas.first,
            contents.schemas.allSatisfy({ MediaType($0.mediaType).isJSON })
        else { return }
        add(
            .warning,
            .mediaType,
            call,
            "the response",
            contents.place,
            "the call reads the whole body as text, but the document lists \(content.mediaType)",
            "declare the value's type"
        )
    }

    private mutating func addContent(of call: DescribedOperation, _ contents: DocumentReader.Contents) {
        let shape = call.shape
        // An unread body is not compared: a separate request fetches the entity.
        guard shape.extent != .unread, let type = shape.mediaType, let schema = shape.schema else { return }
        if shape.readsAnyMediaType { return addText(of: call, contents) }
        guard let content = contents.content(of: shape, type) else {
            let types = contents.schemas.map(\.mediaType).joined(separator: ", ")
            if shape.isStream, contents.schemas.contains(where: { MediaType($0.mediaType).isJSON }) {
                return add(
                    .warning,
                    .mediaType,
                    call,
                    "the response",
                    contents.place,
                    "the call reads \(type), but the document lists \(types), which does not describe a stream",
                    "check that the server sends a stream"
                )
            }
            return add(
                .error,
                .mediaType,
                call,
                "the response",
                contents.place,
                "the call reads \(type), but the document lists \(types)",
                "declare Decode(with: …), or Header(.accept, …) if the server supports several types"
            )
        }
        let describesItem = content.schema.place.hasSuffix("/itemSchema")
        switch shape.form {
        // Only `itemSchema` (OpenAPI 3.2) describes an event. `schema` describes the whole text.
        case .events where !describesItem: return
        // Without `itemSchema`, the document describes either one item or a list of items.
        case .sequence where !describesItem && DocumentSchema([content.schema], in: document).types == ["array"]:
            let list = JSONSchema(.array(schema, hasUniqueElements: false))
            return add(differencesOf: list, .response, call, "the response", .response, content.schema)
        default: break
        }
        let direction: SchemaComparison.Direction = shape.extent == .partial ? .partialResponse : .response
        add(differencesOf: schema, .response, call, "the response", direction, content.schema)
    }

    /// Compares the document's failure responses with the declared problems.
    mutating func addProblems(of call: DescribedOperation, _ operation: DocumentPaths.Operation) {
        let responses = document.responses(of: operation)
        let isNamed = responses.contains { $0.status.hasPrefix("2") }
        let failures = responses.filter { !$0.status.hasPrefix("2") && (isNamed || $0.status != "DEFAULT") }
        let declared = call.problems
        guard !declared.isEmpty, !failures.isEmpty else { return }
        // A problem declared for a whole status class need not be listed.
        for response in declared
        where !response.status.hasSuffix("XX") && !failures.contains(where: { $0.status.overlaps(response.status) }) {
            let isListedElsewhere = listedProblems.contains(
                ListedProblem(status: response.status, schema: response.schema)
            )
            add(
                isListedElsewhere ? .information : .warning,
                .problem,
                call,
                "Problem on \(response.status)",
                "\(operation.place)/responses",
                "the document lists no response with this status"
                    + (isListedElsewhere ? " here, but lists one for other calls" : ""),
                isListedElsewhere ? "" : "remove the status from Problem",
                requiresSamePlace: false
            )
        }
        for (status, contents) in failures {
            // The first type that decodes wins. An exact status is tried before its class.
            let own = declared.filter { $0.status == status }
            let problems = own + declared.filter { $0.status != status && $0.status.overlaps(status) }
            guard
                let response = problems.first(where: { problem in
                    problem.mediaType.flatMap { contents.content(of: $0) } != nil
                }),
                let type = response.mediaType, let content = contents.content(of: type)
            else { continue }
            let schemas = problems.filter { $0.mediaType == type }.compactMap(\.schema)
            guard let first = schemas.first else { continue }
            let schema = schemas.dropFirst().reduce(first) { $0.union($1) }
            add(differencesOf: schema, .problem, call, "Problem on \(response.status)", .response, content.schema)
        }
    }
}

extension DocumentPaths.Operation {
    /// Returns the declared problems of a call whose statuses the operation lists.
    func listedProblems(of call: DescribedOperation, _ document: DocumentReader) -> [Comparison.ListedProblem] {
        let failures = document.responses(of: self).map(\.status).filter { !$0.hasPrefix("2") }
        return call.problems.filter { problem in failures.contains { $0.overlaps(problem.status) } }.map {
            Comparison.ListedProblem(status: $0.status, schema: $0.schema)
        }
    }
}

extension DescribedOperation {
    /// The declared problems.
    fileprivate var problems: [Response] {
        guard plan.settings[ProblemRules.self]?.rules.isEmpty == false else { return [] }
        return responses.filter { !$0.status.hasPrefix("2") && $0.schema != nil }
    }

    /// The source of the entity returned by a write; nil for the response itself.
    package var writeResult: WriteResult.Source? {
        switch shape.extent {
        case .whole, .id: nil
        case .wholeOrNothing: .sent
        case .partial: .merged
        case .unread: .reread
        }
    }
}

extension DocumentReader.Contents {
    /// Returns the content in a format that the call reads; nil if the document lists none.
    fileprivate func content(of shape: ResponseShape, _ type: String) -> (mediaType: String, schema: LocatedSchema)? {
        for type in [type] + shape.otherMediaTypes {
            if let content = content(of: type) { return content }
        }
        guard case .sequence = shape.form else { return nil }
        // Servers send JSON sequences under many media types, including `application/json`.
        return schemas.first {
            MediaType($0.mediaType).isJSON || Decode.StreamFormat.Form($0.mediaType) != .array
        }.map { ($0.mediaType, $0.located) }
    }
}
