import Foundation

extension Response {
    /// The version of the entity; nil where the server names none, or none that RFC 9110 allows.
    public var entityTag: EntityTag? { headerFields.entityTag }

    /// When the entity was changed last (RFC 9110, section 8.8.2); nil where the server does not say so.
    public var lastModified: Date? { headerFields[.lastModified].flatMap { HTTPDate.date(from: $0) } }
}

extension IfMatch {
    /// The version that came with a response: by its tag where it is a strong one, else by its `Last-Modified`.
    ///
    /// A response that names no version is a mistake: nothing is sent.
    public init<Value>(_ response: Response<Value>) { self.init(versionOf: response.headerFields) }
}
