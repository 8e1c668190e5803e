import Waybill
import WaybillSystem

/// The state of an upload, shared by the attempts of a call.
struct UploadState: Sendable {
    /// Whether an attempt has begun.
    var hasBegun = false
    /// The URL of the upload; nil until the server has assigned it.
    var url: URL?
    /// The limits declared by the server.
    var limits = UploadLimits()
    /// The end offset of the bytes this call may have sent; the server cannot have received more.
    var sentBytes = 0
    /// Whether an earlier call began the upload, in which case the number of sent bytes is unknown.
    var isContinued = false
    /// Whether the upload must be created without content, because the server has rejected the whole body.
    var mustCreateFirst = false
    /// The digest of the body, for tokens.
    var contentDigest: String?
    /// The task that saves the token while requests continue.
    var saving: Task<Void, Never>?
}

extension UploadStep {
    /// Stores the URL of the upload, so that the upload can be resumed after a broken connection.
    func note(url: URL, of call: Call) {
        state.withLock { $0.url = url }
        call.context.isContinuable = true
    }

    /// Records that the server has received the whole upload, so another attempt must create a new one.
    func noteEnd(of call: Call) {
        state.withLock { $0.url = nil }
        call.context.isContinuable = false
    }

    /// Starts saving the token of the upload.
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

    /// Returns the URL of the upload, resolved as declared by `Route.Links`, after checking it against the redirect
    /// policy.
    ///
    /// - Throws: `APIError.upload` if the upload must not be sent to the URL.
    func target(of link: URL, from base: URL, of call: Call) throws(APIError) -> URL {
        guard link.user == nil else {
            let shown = Redaction.url(link, secretNames: call.plan.secrets.collected)
            throw failure(.rejectedURL("it contains a user name or a password: \(shown)"), of: call)
        }
        let url = call.plan.target(of: link, from: base)
        let shown = Redaction.url(url, secretNames: call.plan.secrets.collected)
        guard let origin = HTTPRequest.Origin(url), ["http", "https", "http+unix"].contains(origin.scheme) else {
            throw failure(.rejectedURL("it is not an HTTP URL; send the call without a token"), of: call)
        }
        if HTTPRequest.Origin(base)?.scheme == "https", origin.scheme != "https" {
            throw failure(
                .rejectedURL("the API uses https, but \(shown) does not; \(Route.Links.advice)"),
                of: call
            )
        }
        let policy = call.settings[Redirects.self]?.policy ?? .follow
        if policy.reach != .follow, origin != HTTPRequest.Origin(call.plan.url) {
            throw failure(
                .rejectedURL(
                    "it is on another origin, \(shown); declare Redirects(.follow) to follow it; \(Route.Links.advice)"
                ),
                of: call
            )
        }
        return url
    }
}
