import WaybillSystem

/// The facts about an upload that the attempts of a call share.
struct UploadState: Sendable {
    /// Whether an attempt has begun.
    var hasBegun = false
    /// The URL of the upload; nil until it is known.
    var url: URL?
    /// The limits that the server has stated.
    var limits = UploadLimits()
    /// The end of the bytes that may have been sent in this call: the server can have no more of them.
    var sentBytes = 0
    /// Whether the upload was begun by an earlier call, of which it is not known how many bytes it has sent.
    var isContinued = false
    /// Whether the upload has to be created without content: the server has rejected the whole.
    var mustCreateFirst = false
    /// The digest of the body for tokens.
    var contentDigest: String?
    /// The task that saves the token, which came while a request was being sent.
    var saving: Task<Void, Never>?
}

extension UploadStep {
    /// Keeps the URL of the upload: from now on a broken connection does not matter.
    func note(url: URL, of call: Call) {
        state.withLock { $0.url = url }
        call.context.isContinuable = true
    }

    /// Notes that the server has the whole upload: another attempt would be another upload.
    func noteEnd(of call: Call) {
        state.withLock { $0.url = nil }
        call.context.isContinuable = false
    }

    /// Begins to save the token of an upload.
    func beginSaving(_ token: Resumable.Token?) {
        guard let token, let save = resumption?.save else { return }
        state.withLock { state in
            let earlier = state.saving
            state.saving = Task {
                await earlier?.value
                await save(token)
            }
        }
    }

    /// Waits until the token is saved.
    func finishSaving() async {
        let task = state.withLock { $0.saving.take() }
        await task?.value
    }

    /// Rejects a URL to which the upload must not go: the rules for redirects hold.
    func check(_ url: URL, from base: URL, of call: Call) throws(APIError) {
        let shown = Redaction.url(url, secretNames: call.plan.secrets.collected)
        guard let origin = HTTPRequest.Origin(url), ["http", "https", "http+unix"].contains(origin.scheme) else {
            throw failure(.rejectedURL("it is no HTTP URL; send the call without a token"), of: call)
        }
        guard url.user == nil else {
            throw failure(.rejectedURL("it has a user or a password in it: \(shown)"), of: call)
        }
        if HTTPRequest.Origin(base)?.scheme == "https", origin.scheme != "https" {
            throw failure(.rejectedURL("the API has https, and \(shown) is not encrypted"), of: call)
        }
        let policy = call.settings[Redirects.self]?.policy ?? .follow
        if policy.reach != .follow, origin != HTTPRequest.Origin(call.plan.url) {
            throw failure(
                .rejectedURL("it is on another origin, \(shown); declare Redirects(.follow) to go there"),
                of: call
            )
        }
    }
}
