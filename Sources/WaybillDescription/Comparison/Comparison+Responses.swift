import Waybill

extension Comparison {
    /// A problem that calls declare, and that the document has for one of them.
    struct PromisedProblem: Hashable {
        let status: String
        let schema: JSONSchema?
    }

    /// Compares the responses of success with the value of a call.
    mutating func addResponses(of call: DescribedOperation, _ operation: DocumentPaths.Operation) {
        guard let own = call.responses.first(where: { $0.status.hasPrefix("2") }) else { return }
        let accepted = call.plan.settings[Success.self]?.statuses ?? .success
        for (status, contents) in document.responses(of: operation)
        where status.hasPrefix("2") {
            if let code = Int(status), !accepted.contains(HTTPResponse.Status(code: code)) {
                add(
                    .error,
                    .status,
                    call,
                    "Success(\(accepted))",
                    contents.place,
                    "the document has \(code) for a success, which the call takes for a failure",
                    "declare it in Success"
                )
            } else {
                addContent(of: call, own, contents)
            }
        }
    }

    private mutating func addContent(
        of call: DescribedOperation,
        _ own: DescribedOperation.Response,
        _ contents: DocumentReader.Contents
    ) {
        // The entity is fetched by another call.
        if call.writeResult == .reread { return }
        guard let schema = own.schema, let type = own.mediaType, !contents.schemas.isEmpty else { return }
        guard let content = contents.content(of: type) else {
            return add(
                .error,
                .mediaType,
                call,
                "the response",
                contents.place,
                "the call reads \(type), and the document has "
                    + contents.schemas.map(\.mediaType).joined(separator: ", "),
                "declare Decode(with: …), or Header(.accept, …) if the server has a choice"
            )
        }
        // Only the keyword of version 3.2 describes an event; others describe the text as a whole.
        if own.isStream, !content.schema.place.hasSuffix("/itemSchema") { return }
        if let form = call.plan.settings[Decode.StreamFormat.self]?.form, form != .array,
            case .array(let element, _) = schema.form,
            !DocumentSchema([content.schema], in: document).types.contains("array")
        {
            // A document describes one of the texts.
            return add(differencesOf: element, .response, call, "the response", .response, content.schema)
        }
        let direction: SchemaComparison.Direction = call.writeResult == .merged ? .partialResponse : .response
        add(differencesOf: schema, .response, call, "the response", direction, content.schema)
    }

    /// Compares the failures with the declared problems.
    mutating func addProblems(of call: DescribedOperation, _ operation: DocumentPaths.Operation) {
        let failures = document.responses(of: operation).filter { !$0.status.hasPrefix("2") }
        let declared = call.problems
        guard !declared.isEmpty, !failures.isEmpty else { return }
        // A problem of all failures does not promise any.
        for response in declared
        where !response.status.hasSuffix("XX") && !failures.contains(where: { $0.status.meets(response.status) }) {
            let isElsewhere = promisedProblems.contains(
                PromisedProblem(status: response.status, schema: response.schema)
            )
            add(
                isElsewhere ? .information : .warning,
                .problem,
                call,
                "Problem on \(response.status)",
                "\(operation.place)/responses",
                "the document has no response of that status"
                    + (isElsewhere ? " here, and has it for other calls" : ""),
                isElsewhere ? "" : "leave the status out of Problem",
                isOfOnePlace: false
            )
        }
        for (status, contents) in failures {
            // The problem of the status itself counts before that of its class.
            guard
                let response = declared.first(where: { $0.status == status })
                    ?? declared.first(where: { $0.status.meets(status) }),
                let schema = response.schema, let type = response.mediaType, let content = contents.content(of: type)
            else { continue }
            add(differencesOf: schema, .problem, call, "Problem on \(response.status)", .response, content.schema)
        }
    }
}

extension DocumentPaths.Operation {
    /// Returns the problems of a call that the operation has.
    func promisedProblems(of call: DescribedOperation, _ document: DocumentReader) -> [Comparison.PromisedProblem] {
        let failures = document.responses(of: self).map(\.status).filter { !$0.hasPrefix("2") }
        return call.problems.filter { problem in failures.contains { $0.meets(problem.status) } }.map {
            Comparison.PromisedProblem(status: $0.status, schema: $0.schema)
        }
    }
}

extension DescribedOperation {
    /// The declared problems.
    fileprivate var problems: [Response] {
        guard plan.settings[ProblemRules.self]?.rules.isEmpty == false else { return [] }
        return responses.filter { !$0.status.hasPrefix("2") && $0.schema != nil }
    }

    /// The source of the entity that the call returns, if it is a write; nil for any other call.
    package var writeResult: WriteResult.Source? {
        body == nil || plan.method.isSafe ? nil : plan.settings[WriteResult.self]?.source
    }
}
