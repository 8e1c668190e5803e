import Waybill

extension DescribedAPI {
    /// Compares the listed calls with a document of the server, seen from this client: what it sends and reads.
    ///
    /// What the document denies is an error, what it does not promise a warning, and what this client never reads is
    /// information. A difference that several calls have is one finding.
    ///
    /// ```swift
    /// let findings = try shop.compare(with: OpenAPIDocument(data))
    /// for finding in findings where finding.severity == .error { print(finding) }
    /// ```
    ///
    /// - Parameter document: the document.
    /// - Returns: the findings: errors, warnings, information, and in each what breaks most of a call first: its path,
    ///   its method, its parameters, its body, its response, its problems.
    /// - Throws: ``DescriptionError`` if calls cannot be planned with their example values.
    public func compare(with document: OpenAPIDocument) throws(DescriptionError) -> [Finding] {
        let calls = calls
        let library = try calls.library()
        let operations = try calls.everyCall(in: library)
        let base = client.scopes.base.url.path
        let reader = DocumentReader(document)
        return Comparison(reader, base: base, definitions: library.definitions, operations).findings.sorted
    }
}

extension APIDescription {
    /// Returns the operations of all listed calls, also of several that share a method and a path.
    package func everyCall(in library: SchemaLibrary) throws(DescriptionError) -> [DescribedOperation] {
        var errors: [APIError] = []
        var operations: [DescribedOperation] = []
        for call in parts.flatMap({ $0(library) }) {
            do throws(APIError) {
                operations.append(try DescribedOperation(call, in: library))
            } catch {
                errors.append(error)
            }
        }
        guard errors.isEmpty else { throw DescriptionError(errors: errors) }
        // A call that is listed by itself says more than the one that is made up for a resource.
        return operations.filter { operation in
            guard operation.isMadeUp, operation.hasUnknownBody else { return true }
            return !operations.contains {
                !$0.isMadeUp && $0.method == operation.method && $0.path == operation.path
            }
        }
    }
}

extension DescribedOperation {
    /// Whether the body is of a type of which no value is known.
    fileprivate var hasUnknownBody: Bool {
        if case .unknown? = body?.schema.origin { true } else { false }
    }
}
