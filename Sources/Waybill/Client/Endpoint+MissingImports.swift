import WaybillSystem

// Other products declare these members. Without their imports, the compiler's message names the product.

extension Endpoint {
    /// Does not compile without `import WaybillTransfers`, which declares it.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that reads bodies as they arrive")
    public func bytes() async throws(APIError) -> HTTPBody { HTTPBody(Data()) }

    /// Does not compile without `import WaybillTransfers`, which declares it.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that downloads files")
    @discardableResult
    public func download(to file: URL) async throws(APIError) -> Response<Value> { try await response() }
}

extension Endpoint where Value: _ListValue & Sendable, Value.Element: Sendable {
    /// Does not compile without `import WaybillTransfers`, which declares it.
    @available(*, unavailable, message: "add `import WaybillTransfers`, the product that streams lists")
    public func stream() async throws(APIError) -> Pages<Value.Element>.Items { all }
}

extension Authorization.Credential {
    /// Does not compile without `import WaybillSessions`, which declares it.
    @available(*, unavailable, message: "add `import WaybillSessions`, the product that answers Digest challenges")
    public static func digest(user: String, password: String) -> Self { .basic(user: user, password: password) }
}

extension APIError {
    /// Does not compile without `import WaybillCaching`, which declares it.
    @available(*, unavailable, message: "add `import WaybillCaching`, the product of the cache")
    public var isNotCached: Bool { false }
}
