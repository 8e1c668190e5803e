import WaybillSystem

extension Client {
    /// A file that has been downloaded completely.
    public struct DownloadedFile: Sendable {
        /// The URL of the file.
        public let file: URL

        /// The number of bytes of the file.
        public let length: Int

        /// The media type as the server states it in `Content-Type`; nil if it does not.
        public let contentType: String?

        /// The number of bytes that an earlier download had left behind and that were not sent again.
        public let resumedBytes: Int

        /// The status: 200 also if the file was put together from parts (RFC 9110, section 15.3.7.3).
        public let status: HTTPResponse.Status

        /// The header fields of the last response.
        ///
        /// Those in which the server repeats a secret of the call are sensitive.
        public let headerFields: HTTPFields

        /// The URL of the last response: after redirects not that of the request.
        public let url: URL

        /// The URL without secrets.
        let shownURL: String

        /// Whether an earlier download was continued.
        public var wasResumed: Bool { resumedBytes > 0 }
    }
}

extension Client.DownloadedFile: CustomStringConvertible, CustomReflectable {
    /// The path and the number of bytes.
    public var description: String {
        let text = "\(file.path), \(length.shownAsBytes)"
        return wasResumed ? "\(text), of which \(resumedBytes.shownAsBytes) were there before" : text
    }

    /// The parts of the file and of its head, secrets redacted.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "file": file, "length": length, "contentType": contentType as Any, "resumedBytes": resumedBytes,
                "status": status, "headerFields": headerFields, "url": shownURL,
            ],
            displayStyle: .struct
        )
    }
}
