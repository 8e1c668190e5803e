import WaybillSystem

extension Response {
    /// The version of the entity; nil if the server names none, or none that RFC 9110 allows.
    public var entityTag: EntityTag? { receivedFields.entityTag }

    /// The date of the entity's last change (RFC 9110, section 8.8.2); nil if the server does not state it.
    public var lastModified: Date? { receivedFields[.lastModified].flatMap { HTTPDate.date(from: $0) } }
}

extension IfMatch {
    /// Creates the condition for the version of a response: by its tag if that is a strong one, else by its
    /// `Last-Modified`.
    ///
    /// A response that names no version is a declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - response: the response to the read.
    ///   - comparison: the server's comparison of tags.
    public init<Value>(_ response: Response<Value>, comparison: EntityTag.Comparison = .strong) {
        self.init(versionOf: response.receivedFields, comparison: comparison)
    }
}
