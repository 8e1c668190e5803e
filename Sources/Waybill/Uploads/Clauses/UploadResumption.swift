/// The token with which a call continues an upload, and the closure that keeps the token of the upload.
package struct UploadResumption: Setting {
    package let token: Resumable.Token?
    package let save: @Sendable (Resumable.Token) async -> Void

    package init(token: Resumable.Token?, save: @escaping @Sendable (Resumable.Token) async -> Void) {
        self.token = token
        self.save = save
    }

    /// Whether there is a token.
    package var summary: String { token.map { "\($0)" } ?? "a new upload" }
}
