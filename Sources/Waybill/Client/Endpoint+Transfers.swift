import WaybillSystem

// WaybillTransfers also declares these methods. If it is not imported, the error message names it.

extension Endpoint {
    /// Does not compile without `import WaybillTransfers`, which declares this method.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that reads bodies as they arrive")
    public func bytes() async throws(APIError) -> HTTPBody { HTTPBody(Data()) }

    /// Does not compile without `import WaybillTransfers`, which declares this method.
    ///
    /// - Parameter file: the URL of the file to write.
    /// - Returns: the response, without its body.
    /// - Throws: `APIError`.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that downloads files")
    @discardableResult
    public func download(to file: URL) async throws(APIError) -> Response<Value> { try await response() }
}
