import WaybillSystem

extension Endpoint {
    /// Sends the call and saves the body of the response in a file.
    ///
    /// ```swift
    /// let folder = URL.temporaryDirectory
    /// let export = try await shop.search("lamp").download(to: folder.appending(path: "export.json"))
    /// print(export.length, export.wasResumed)
    /// ```
    ///
    /// The bytes are written beside the file, in `NAME.part`, while they arrive; a complete file replaces the one that
    /// is there. The folder has to exist. If the call fails, is cancelled or dies with its process, the next download
    /// of the same endpoint continues the part, provided that the server states the same strong validator. Otherwise it
    /// starts again, which is a ``CallEvent/Kind/restarted(because:)`` for observers. A ``Retry`` continues a body that
    /// breaks off within the call.
    ///
    /// A part that another program removes, replaces or writes is an error, and never becomes the file.
    ///
    /// If the server states a SHA-256 digest in `Repr-Digest` (RFC 9530), the file is compared with it.
    ///
    /// A content coding that the transport cannot undo is an error, unless the call declares
    /// `Header("Accept-Encoding", …)` with its name: the file then has the coded bytes.
    ///
    /// The declared envelope and the type of the value do not matter. A ``Timeout`` counts until the file is complete.
    ///
    /// - Parameter file: the URL of the file.
    /// - Returns: the file, and the head of the response.
    /// - Throws: ``APIError``; ``APIError/download(_:)`` if the file cannot be written or has another digest, and
    ///   ``APIError/status(_:)`` for a failed status, and for a declared problem in place of the file.
    public func download(to file: URL) async throws(APIError) -> Client.DownloadedFile {
        let plan = try planForCall()
        guard file.isFileURL else {
            throw .download(APIError.DownloadFailure(call: plan.failedCall(), file: file, reason: .notFileURL))
        }
        let part = PartFile(target: file)
        let step = DownloadStep(part)
        do throws(APIError) {
            return try await client.run(plan, .step(step)) { (response, call) async throws(APIError) in
                try await step.finish(response, of: call)
            }
        } catch {
            await part.close(removing: error.isOfBytes)
            throw error
        }
    }
}

extension DownloadStep {
    /// Completes the file within the call's deadline.
    fileprivate func finish(_ response: CallResponse, of call: Call) async throws(APIError) -> Client.DownloadedFile {
        guard let deadline = call.context.deadline else { return try await finishWithoutDeadline(response, call) }
        return try await call.perform(by: deadline) { () async throws(APIError) in
            try await finishWithoutDeadline(response, call)
        }
    }

    private func finishWithoutDeadline(
        _ response: CallResponse,
        _ call: Call
    ) async throws(APIError) -> Client.DownloadedFile {
        var response = response
        if !response.isRead { try await writeWhole(&response, of: call) }
        let progress = progress.withLock { $0 }
        if let stated = progress.digest {
            let received = try await onDisk(call) { try await part.digest() }
            guard let received else { throw call.failure(CancellationError()) }
            guard received == stated else {
                throw failure(.wrongDigest(stated: stated, received: received), of: call)
            }
        }
        let length = try await onDisk(call) { try await part.finish() }
        return Client.DownloadedFile(
            file: part.target,
            length: length,
            contentType: progress.contentType,
            resumedBytes: progress.resumedBytes ?? 0,
            status: response.status,
            headerFields: response.markedFields(of: call.plan),
            url: response.url ?? call.plan.url,
            shownURL: response.shownURL(of: call.plan)
        )
    }
}

extension APIError {
    /// Whether the part has wrong bytes, so that it cannot be continued.
    fileprivate var isOfBytes: Bool {
        guard case .download(let failure) = self else { return false }
        switch failure.reason {
        case .wrongDigest, .partChanged: return true
        default: return false
        }
    }
}

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
