import WaybillSystem

/// The part of a resumable upload that a request sends, and the receiver of interim responses to it.
///
/// A class, because a request is copied at each of its steps.
package final class UploadPart: Sendable {
    /// The number of bytes of the upload before this part.
    package let offset: Int

    /// The number of bytes of the whole upload.
    package let length: Int

    /// Receives an interim response with the URL that sent it, on a thread of the transport: it must not wait.
    package let receive: @Sendable (HTTPResponse.Status, HTTPFields, URL) -> Void

    package init(
        offset: Int,
        length: Int,
        receive: @escaping @Sendable (HTTPResponse.Status, HTTPFields, URL) -> Void = { _, _, _ in }
    ) {
        self.offset = offset
        self.length = length
        self.receive = receive
    }
}
