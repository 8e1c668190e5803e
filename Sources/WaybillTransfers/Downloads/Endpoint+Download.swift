import Waybill
import WaybillSystem

extension Endpoint {
    /// Sends the call and saves the body of the response to a file.
    ///
    /// ```swift
    /// let folder = URL.temporaryDirectory
    /// let export = try await shop.search("lamp").download(to: folder.appending(path: "export.json"))
    /// print(export.length, export.wasResumed)
    /// ```
    ///
    /// Arriving bytes are written to `NAME.part` in the same folder, which must exist. The complete file replaces an
    /// existing file.
    ///
    /// If the call fails or is cancelled, or if the process dies, the next download from the same endpoint resumes from
    /// the partial file, provided that the response has the same strong validator. Otherwise, the download starts over,
    /// and observers receive `CallEvent.Kind.restarted(because:)`. Within a call, `Retry` resumes a download if its
    /// body ends early. If another program removes, replaces or overwrites the partial file, the call throws an error,
    /// and the target file is not created or replaced.
    ///
    /// If the response has a SHA-256 digest in `Repr-Digest` (RFC 9530), the file is verified against it.
    ///
    /// A content coding that the transport cannot decode is an error, unless the call requests it by name with
    /// `Header("Accept-Encoding", …)`; the file then contains the encoded bytes. The declared envelope and the type of
    /// the value have no effect. A `Timeout` applies until the file is complete.
    ///
    /// - Parameter file: the URL of the file.
    /// - Returns: the file, and the head of the response.
    /// - Throws: `APIError`; `APIError.download` if the file cannot be written or its digest is wrong, and
    ///   `APIError.status` for a failed status or a declared problem.
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
    /// Verifies the file and moves it to its target, within the call's deadline.
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
            bytesResumed: progress.bytesResumed ?? 0,
            status: response.status,
            headerFields: response.markedFields(of: call.plan),
            url: response.url ?? call.plan.url,
            shownURL: response.shownURL(of: call.plan)
        )
    }
}

extension APIError {
    /// Whether the partial file contains wrong bytes, so a later download must not resume it.
    fileprivate var isOfBytes: Bool {
        guard case .download(let failure) = self else { return false }
        switch failure.reason {
        case .wrongDigest, .partChanged: return true
        default: return false
        }
    }
}

extension Client {
    /// A completely downloaded file.
    public struct DownloadedFile: Sendable {
        /// The URL of the file.
        public let file: URL

        /// The size of the file in bytes.
        public let length: Int

        /// The `Content-Type` of the file; nil if the server does not provide it.
        public let contentType: String?

        /// The number of bytes kept from an earlier download.
        public let bytesResumed: Int

        /// The status; 200 even for a file assembled from parts (RFC 9110, section 15.3.7.3).
        public let status: HTTPResponse.Status

        /// The header fields of the last response; a field that repeats one of the call's secrets is marked as
        /// sensitive.
        public let headerFields: HTTPFields

        /// The URL of the last response, which differs from the request's after a redirect.
        public let url: URL

        /// The URL of the last response, with secrets redacted.
        let shownURL: String

        /// Whether the download resumed an earlier one.
        public var wasResumed: Bool { bytesResumed > 0 }
    }
}

extension Client.DownloadedFile: CustomStringConvertible, PartlyShown {
    /// The path and the size of the file.
    public var description: String {
        let text = "\(file.path), \(length.shownAsBytes)"
        return wasResumed ? "\(text), of which \(bytesResumed.shownAsBytes) were there before" : text
    }

    /// The properties of the file and of the response, with secrets redacted.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "file": file, "length": length, "contentType": contentType as Any, "bytesResumed": bytesResumed,
            "status": status, "headerFields": headerFields, "url": shownURL,
        ]
    }
}
