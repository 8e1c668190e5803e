import Foundation

extension Plan {
    /// What a plan says; see ``Plan`` for each.
    package final class Decided: Sendable {
        let method: HTTPRequest.Method
        let template: String
        let path: String
        let url: URL
        let headerFields: HTTPFields
        let body: HTTPBody?
        let settings: CallSettings
        let secretNames: SecretNameSet
        let bodyKeys: [String]
        let fartherScopes: [Scope]
        let nearerScopes: [Scope]
        let cursor: Cursor?
        let isForeign: Bool

        package init(
            method: HTTPRequest.Method,
            template: String,
            path: String,
            url: URL,
            headerFields: HTTPFields,
            body: HTTPBody?,
            settings: CallSettings,
            secretNames: SecretNameSet,
            bodyKeys: [String],
            fartherScopes: [Scope],
            nearerScopes: [Scope],
            cursor: Cursor?,
            isForeign: Bool
        ) {
            self.method = method
            self.template = template
            self.path = path
            self.url = url
            self.headerFields = headerFields
            self.body = body
            self.settings = settings
            self.secretNames = secretNames
            self.bodyKeys = bodyKeys
            self.fartherScopes = fartherScopes
            self.nearerScopes = nearerScopes
            self.cursor = cursor
            self.isForeign = isForeign
        }
    }
}
