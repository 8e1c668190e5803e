import Waybill

extension DescribedAPI {
    /// Returns the OpenAPI document of the listed calls.
    ///
    /// Each call is an operation: its parameters with their types and examples, its body, its response through the
    /// envelope, its problems by status and media type, and the scheme of its credential, never the credential itself.
    ///
    /// - Parameters:
    ///   - title: the title of the API.
    ///   - version: the version of the API, of any form.
    /// - Returns: the document.
    /// - Throws: ``DescriptionError`` if calls cannot be planned with their example values.
    public func openAPI(title: String, version: String) throws(DescriptionError) -> OpenAPIDocument {
        let calls = calls
        let library = try calls.library()
        let operations = try calls.operations(in: library)
        return OpenAPIDocument(
            json: OpenAPIWriter(operations, library).document(
                title: title,
                version: version,
                server: client.scopes.base.url.absoluteString
            )
        )
    }
}

extension APIDescription {
    /// Returns the operations of the listed calls, each method and path once, the last one.
    package func operations(in library: SchemaLibrary) throws(DescriptionError) -> [DescribedOperation] {
        var errors: [APIError] = []
        var operations: [DescribedOperation] = []
        for call in parts.flatMap({ $0(library) }) {
            do throws(APIError) {
                let operation = try DescribedOperation(call, in: library)
                let index = operations.firstIndex {
                    $0.method == operation.method && $0.path == operation.path && $0.isBatch == operation.isBatch
                }
                // A call that is listed by itself says more than the one that is made up for a resource.
                if let index {
                    operations[index] = operation.replacing(operations[index])
                } else {
                    operations.append(operation)
                }
            } catch {
                errors.append(error)
            }
        }
        guard errors.isEmpty else { throw DescriptionError(errors: errors) }
        return operations.withUniqueIdentifiers
    }
}

extension DescribedOperation {
    /// Returns the operation in place of one that was made up for a resource.
    fileprivate func replacing(_ other: DescribedOperation) -> DescribedOperation {
        guard operation == nil else { return self }
        var operation = self
        operation.operation = other.operation
        operation.element = other.element
        operation.isSingleton = other.isSingleton
        operation.identifier = other.identifier
        operation.responses = other.responses
        return operation
    }

    /// Whether the operation sends several entities, to a path that also takes one.
    fileprivate var isBatch: Bool { operation == .createBatch || operation == .updateBatch }
}

extension [DescribedOperation] {
    fileprivate var withUniqueIdentifiers: [DescribedOperation] {
        var taken: Set<String> = []
        return map { operation in
            var operation = operation
            var number = 2
            let base = operation.identifier
            while !taken.insert(operation.identifier).inserted {
                operation.identifier = "\(base)\(number)"
                number += 1
            }
            return operation
        }
    }
}
