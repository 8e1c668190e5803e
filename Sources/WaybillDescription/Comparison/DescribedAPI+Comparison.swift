import Waybill

extension DescribedAPI {
    /// Compares the listed calls with a document of the server, seen from this client: what it sends and reads.
    ///
    /// What the document denies is an error, what it does not promise a warning, and what this client never reads is
    /// information.
    ///
    /// ```swift
    /// let findings = try shop.compare(with: OpenAPIDocument(data))
    /// for finding in findings where finding.severity == .error { print(finding) }
    /// ```
    ///
    /// - Parameter document: the document.
    /// - Returns: the findings, the calls in their order.
    /// - Throws: ``DescriptionError`` if calls cannot be planned with their example values.
    public func compare(with document: OpenAPIDocument) throws(DescriptionError) -> [Finding] {
        let calls = calls
        let library = try calls.library()
        let operations = try calls.operations(in: library)
        let base = client.scopes.base.url.path
        let comparison = Comparison(DocumentReader(document), base: base, definitions: library.definitions)
        return operations.flatMap { comparison.findings(of: $0) }
    }
}
