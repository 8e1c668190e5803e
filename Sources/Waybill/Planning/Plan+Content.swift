import WaybillSystem

extension Plan {
    /// The content of a plan; see ``Plan`` for its parts.
    struct Content: Sendable {
        let method: HTTPRequest.Method
        let template: String
        let path: String
        let url: URL
        var headerFields: HTTPFields
        let declaresContentType: Bool
        let body: HTTPBody?
        /// The parts of the body, if it is a form of several parts.
        let form: MultipartForm?
        let listBody: HTTPBody?
        let settings: Scope.Settings
        let write: WriteOperation?
        let secretNames: SecretNameSet
        let pathSecrets: [String]
        let bodyKeys: [String]
        let outerScopes: [Scope]
        let innerScopes: [Scope]
        let cursor: Cursor?
        let isForeign: Bool
        /// The scopes that added header fields to the plan, by the names of these.
        var addedFields: [HTTPField.Name: String] = [:]
    }
}
