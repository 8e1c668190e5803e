extension APIError {
    /// The failure of a resumable upload that cannot continue even though the connection works.
    public struct UploadFailure: CallFailure {
        /// A difference between an upload token and the call it was passed to.
        public enum Difference: String, Sendable, Hashable, CaseIterable {
            /// A different method, path or origin of the endpoint.
            case endpoint = "it belongs to another endpoint"
            /// A different declared protocol.
            case uploadProtocol = "it was made for another protocol"
            /// A different number of bytes in the body.
            case length = "the body has a different length"
            /// Different bytes in the body.
            case content = "the body has different content"
            /// A different length, modification time or identity of a file in the body.
            case file = "a file in the body has since been changed or replaced"
        }

        /// A reason that an upload cannot continue.
        public enum Reason: Sendable, Hashable {
            /// The token does not belong to the call; nothing was sent.
            case wrongToken(Difference)
            /// A middleware replaced the body with one that cannot be read from an arbitrary offset; nothing was sent.
            case bodyIsNotSeekable
            /// A file in the body was changed, replaced or removed after the upload began, so the server may have bytes
            /// of an earlier version.
            case changedFile(path: String)
            /// The server does not recognize the upload or has removed it.
            case expired(HTTPResponse.Status)
            /// The upload exceeds the server's limit, in bytes.
            case tooLarge(limit: Int)
            /// The server supports only other versions of tus, listed in its response.
            case unsupportedVersion(String)
            /// A header field of a response is missing or invalid in the upload protocol.
            case invalidField(name: String, value: String?)
            /// The upload URL assigned by the server is not allowed, for the given reason.
            case rejectedURL(String)
            /// The server reports a different length for the upload, in bytes.
            case differentLength(Int)
            /// The server reports an offset, in bytes, beyond the bytes that were sent.
            case invalidOffset(Int)
            /// The server repeatedly reports the same offset, in bytes.
            case noProgress(offset: Int)
            /// The server treats the upload as complete at this offset, in bytes, before all bytes were sent.
            case completedEarly(offset: Int)
            /// The upload is complete, but the response to it was lost.
            case lostResponse
            /// The server responded with a status that the call declares as success, but that the upload protocol does
            /// not define.
            case unexpectedStatus(HTTPResponse.Status)
        }

        /// The call that failed.
        public package(set) var call: FailedCall

        /// The reason that the upload cannot continue.
        public let reason: Reason

        /// Creates a failure for tests of error handling.
        ///
        /// - Parameters:
        ///   - call: the call that failed.
        ///   - reason: the reason that the upload cannot continue.
        public init(call: FailedCall, reason: Reason) {
            self.call = call
            self.reason = reason
        }

        var apiError: APIError { .upload(self) }
        var outcome: String { "was not uploaded: \(call.redacted("\(reason)"))" }
        var properties: [Mirror.Child] { [("reason", call.redacted("\(reason)"))] }
        var brief: String { "an upload that cannot continue" }
        var sentence: ErrorSentence { .incompleteUpload }
    }
}

extension APIError.UploadFailure.Reason: CustomStringConvertible {
    /// The reason, and what to do about it.
    public var description: String {
        switch self {
        case .wrongToken(let difference):
            "the token does not match: \(difference.rawValue); send the call that created it, or omit the token"
        case .bodyIsNotSeekable:
            "a middleware replaced the body with one that cannot be read from an arbitrary offset;"
                + " it must pass on the bodies of resumable uploads unchanged"
        case .changedFile(let path):
            "\(path) has changed since the upload began, and the server may have part of the old version;"
                + " send the call again without a token"
        case .expired(let status):
            "the server no longer knows the upload (\(status)); send the call again without a token"
        case .tooLarge(let limit): "the server accepts at most \(limit) bytes; send a smaller body"
        case .unsupportedVersion(let versions):
            "the server supports tus \(versions), but Waybill only 1.0.0; choose an endpoint that supports it"
        case .invalidField(let name, nil):
            "a response has no \(name), which the protocol requires; check that the server speaks the declared one"
        case .invalidField(let name, let value?):
            "a response has a \(name) that the protocol does not allow: \(value.debugDescription);"
                + " check that the server speaks the declared one"
        case .rejectedURL(let reason): "the URL of the upload is rejected: \(reason)"
        case .differentLength(let length):
            "the server reports a wrong length, \(length) bytes; send the call again without a token"
        case .invalidOffset(let offset):
            "the server reports \(offset) received bytes, but fewer were sent;"
                + " they must belong to a different upload; send the call again without a token"
        case .noProgress(let offset):
            "the server has \(offset) bytes and accepts no more; send the call again later"
        case .completedEarly(let offset):
            "the server treats the upload as complete after only \(offset) bytes; its copy is incomplete"
        case .lostResponse:
            "all bytes have arrived, but the response to them was lost; check the result on the server"
        case .unexpectedStatus(let status):
            "the server answered an upload request with \(status), which is not a success in the upload protocol"
        }
    }
}
