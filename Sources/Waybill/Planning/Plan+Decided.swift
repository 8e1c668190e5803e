import Foundation

extension Plan {
    /// What a plan says; see ``Plan`` for each.
    struct Decided: Sendable {
        let method: HTTPRequest.Method
        let template: String
        let path: String
        let url: URL
        let headerFields: HTTPFields
        let body: HTTPBody?
        let settings: CallSettings
        let secretNames: SecretNameSet
        let pathSecrets: [String]
        let bodyKeys: [String]
        let fartherScopes: [Scope]
        let nearerScopes: [Scope]
        let cursor: Cursor?
        let isForeign: Bool
    }
}
