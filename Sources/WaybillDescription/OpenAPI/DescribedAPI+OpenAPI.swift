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
    /// Returns the operations of the listed calls.
    ///
    /// Calls with one method and path are all there if their requests or their responses differ. A call of a resource
    /// that is listed by itself takes the place of the one that is made up.
    package func operations(in library: SchemaLibrary) throws(DescriptionError) -> [DescribedOperation] {
        var errors: [APIError] = []
        var operations: [DescribedOperation] = []
        for call in parts.flatMap({ $0(library) }) {
            do throws(APIError) {
                let operation = try DescribedOperation(call, in: library)
                if let index = operations.firstIndex(where: { $0.isSameCall(as: operation) }) {
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
    /// Whether two listed calls are one.
    fileprivate func isSameCall(as other: DescribedOperation) -> Bool {
        guard method == other.method, pathTemplate == other.pathTemplate, callName == other.callName,
            operation == other.operation
        else { return false }
        if isMadeUp != other.isMadeUp, place?.template == other.place?.template {
            // The body that is made up may lack what the listed one has.
            return features.hasItems(of: other.features)
        }
        return features.hasNames(of: other.features) && body?.schema == other.body?.schema
            && responses == other.responses
    }

    /// Returns the operation in place of an equal one: a call that is listed by itself says more about its request than
    /// one that is made up, which has the name and the responses of the resource.
    fileprivate func replacing(_ other: DescribedOperation) -> DescribedOperation {
        let (listed, madeUp) = isMadeUp ? (other, self) : (self, other)
        guard madeUp.isMadeUp, !listed.isMadeUp else { return self }
        var operation = listed
        operation.element = madeUp.element
        operation.isSingleton = madeUp.isSingleton
        operation.identifier = madeUp.identifier
        operation.responses = madeUp.responses
        operation.isMadeUp = true
        return operation
    }
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
