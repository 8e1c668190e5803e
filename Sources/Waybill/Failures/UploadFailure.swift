extension APIError {
    /// A resumable upload that cannot continue, although the connection works.
    public struct UploadFailure: CallFailure {
        /// A difference between an upload token and the call that it was passed to.
        public enum Difference: String, Sendable, Hashable, CaseIterable {
            /// The method, the path or the origin of the endpoint.
            case endpoint = "it belongs to another endpoint"
            /// The declared protocol.
            case uploadProtocol = "it is of another protocol"
            /// The number of bytes of the body.
            case length = "the body has another length"
            /// The bytes of the body.
            case content = "the body has other bytes"
            /// The length, the modification time or the identity of a file in the body.
            case file = "a file of the body has been changed or replaced since"
        }

        /// The reason that an upload cannot continue.
        public enum Reason: Sendable, Hashable {
            /// The token does not belong to the call; nothing was sent.
            case wrongToken(Difference)
            /// The body, which a middleware replaced, cannot be read from an arbitrary offset; nothing was sent.
            case bodyIsNotSeekable
            /// A file in the body was changed, replaced or removed after the upload began, so the server has bytes of
            /// another version.
            case changedFile(path: String)
            /// The upload is unknown to the server, or was removed by it.
            case expired(HTTPResponse.Status)
            /// The upload is larger than the server accepts. The limit is in bytes.
            case tooLarge(limit: Int)
            /// The server supports only other versions of tus, as listed in its response.
            case unsupportedVersion(String)
            /// A header field of a response is missing, or does not have the format that the protocol requires.
            case invalidField(name: String, value: String?)
            /// The upload URL given by the server is not allowed. The value is the reason.
            case rejectedURL(String)
            /// The server reports another length for the upload, in bytes.
            case differentLength(Int)
            /// The server reports an offset beyond the bytes that were sent.
            case invalidOffset(Int)
            /// The server repeatedly reports the same offset, in bytes.
            case noProgress(offset: Int)
            /// The server treats the upload as complete at this offset, in bytes, before all bytes were sent.
            case completedEarly(offset: Int)
            /// The upload is complete, but the response to it was lost.
            case lostResponse
            /// A response that the protocol does not define has a status that the call declares as a success.
            case unexpectedStatus(HTTPResponse.Status)
        }

        /// The call that failed.
        public internal(set) var call: FailedCall

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
    /// The reason and how to resolve it.
    public var description: String {
        switch self {
        case .wrongToken(let difference):
            "the token does not fit: \(difference.rawValue); send the call that made it, or send without a token"
        case .bodyIsNotSeekable:
            "a middleware has replaced the body by one that cannot be read from any of its bytes on;"
                + " let it pass bodies of resumable uploads as they are"
        case .changedFile(let path):
            "\(path) has changed since the upload began, and the server may have a part of the former file;"
                + " send the call again without a token"
        case .expired(let status):
            "the server does not know the upload any more (\(status)); send the call again without a token"
        case .tooLarge(let limit): "the server takes at most \(limit) bytes; send a smaller body"
        case .unsupportedVersion(let versions):
            "the server speaks tus \(versions), and Waybill 1.0.0; choose another endpoint of the server"
        case .invalidField(let name, nil):
            "a response has no \(name), which the protocol requires; check that the server speaks the declared one"
        case .invalidField(let name, let value?):
            "the \(name) of a response is not what the protocol allows: \(value.debugDescription);"
                + " check that the server speaks the declared one"
        case .rejectedURL(let reason): "the URL of the upload is rejected: \(reason)"
        case .differentLength(let length):
            "the server says that the upload has \(length) bytes, which is not so; send the call without a token"
        case .invalidOffset(let offset):
            "the server says that it has \(offset) bytes, which are more than can have reached it;"
                + " what it keeps is not the upload; send the call without a token"
        case .noProgress(let offset):
            "the server has \(offset) bytes and does not take more of them; send the call again later"
        case .completedEarly(let offset):
            "the server treats the upload as complete after \(offset) bytes, which are not all; its copy is incomplete"
        case .lostResponse:
            "all bytes have arrived, but the response to them was lost; check the result on the server"
        case .unexpectedStatus(let status):
            "the server responds with \(status) to a request of the protocol, where that status means no success"
        }
    }
}
