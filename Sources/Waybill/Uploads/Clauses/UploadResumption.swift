/// The token with which a call goes on, and the closure that keeps the token of the upload.
package struct UploadResumption: Setting {
    package let token: UploadToken?
    package let save: @Sendable (UploadToken) async -> Void

    package init(token: UploadToken?, save: @escaping @Sendable (UploadToken) async -> Void) {
        self.token = token
        self.save = save
    }

    /// Whether there is a token.
    package var summary: String { token.map { "\($0)" } ?? "a new upload" }
}
