import Waybill
import WaybillFiles
import WaybillSystem

/// A step that requests a file or its missing bytes, and writes the bytes as they arrive.
///
/// It runs once per attempt. If the body ends early, the attempt fails, and the next one requests the remaining bytes.
struct DownloadStep: CallStep {
    /// The state shared by the attempts of a call.
    struct Progress: Sendable {
        /// The number of bytes kept from an earlier call; nil before the first attempt.
        var bytesResumed: Int?
        /// The digest of the whole file, if the server provides one.
        var digest: String?
        /// The `Content-Type` of the whole file.
        var contentType: String?
    }

    let part: PartFile
    let progress = Locked(Progress())

    init(_ part: PartFile) { self.part = part }

    /// Sends the request, and repeats it if the server returns an unusable or insufficient range.
    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse {
        var restarted = false
        while true {
            var state = try await onDisk(call) { try await part.open(for: call.endpointName) }
            progress.withLock { [state] in $0.bytesResumed = min($0.bytesResumed ?? state.length, state.length) }
            state.isPartDeclared = request.headerFields.contains(.range)
            state.requestedOffset = restarted || request.method != .get ? nil : state.nextOffset
            var response = try await next(request.forDownload(state))
            let isSuccess = call.plan.isSuccess(response.status)
            if isSuccess { try await call.readProblem(in: &response) }
            // If the body is a problem instead of the file, leave the part unchanged.
            guard !isSuccess || !response.isRead else { return response }
            let decision = state.decision(
                after: response.message,
                isDecoded: response.isDecoded,
                isSuccess: isSuccess
            )
            switch decision {
            case .fail: return response
            case .reject(let reason):
                throw call.transportFailure(TransportError(.invalidResponse, reason), sent: response.request)
            case .requestWhole(let reason):
                call.report(.restarted(because: reason))
                restarted = true
                await response.message.discardBody()
            case .startAgain(let reason):
                if let reason, !restarted { call.report(.restarted(because: reason)) }
                try await startAgain(response, of: call, isPart: state.isPartDeclared)
                try await write(&response, of: call, upTo: nil)
                return response
            case .append(let range, let complete):
                try await onDisk(call) { try await part.truncate(to: range.lowerBound) }
                note(response.headerFields.reprDigest, state.record?.contentType, kept: range.lowerBound)
                try await write(&response, of: call, upTo: range.count)
                if range.upperBound == complete { return response }
            case .complete:
                note(nil, state.record?.contentType, kept: state.length)
                response.finishDownload()
                return response
            }
        }
    }

    /// Writes the body of a response that did not come from the server but, for example, from a cache.
    func writeWhole(_ response: inout CallResponse, of call: Call) async throws(APIError) {
        _ = try await onDisk(call) { try await part.open(for: call.endpointName) }
        try await startAgain(response, of: call, isPart: true)
        try await write(&response, of: call, upTo: nil)
    }

    private func startAgain(_ response: CallResponse, of call: Call, isPart: Bool) async throws(APIError) {
        try call.rejectCoding(of: response, offersPlain: false)
        let fields = response.headerFields
        let canBeContinued = !isPart && !response.isDecoded && !fields.isCoded && call.plan.method == .get
        let record = StrongValidator(fields, now: call.context.dates.now).flatMap { validator in
            !canBeContinued
                ? nil
                : PartRecord(
                    endpoint: call.endpointName,
                    validator: validator,
                    length: response.body.length,
                    contentType: fields[.contentType]
                )
        }
        note(isPart || response.isDecoded ? nil : fields.reprDigest, fields[.contentType], kept: 0)
        try await onDisk(call) { try await part.restart(record) }
    }

    private func note(_ digest: String?, _ contentType: String?, kept: Int) {
        progress.withLock { progress in
            progress.bytesResumed = min(progress.bytesResumed ?? 0, kept)
            progress.digest = digest
            progress.contentType = contentType
        }
    }

    /// Writes a body to its end.
    ///
    /// - Parameters:
    ///   - response: the response, whose body is empty afterwards.
    ///   - call: the call.
    ///   - count: the number of bytes announced in the head; nil if it is not announced.
    /// - Throws: `APIError.transport` if the body ends early, `APIError.download` if it cannot be written.
    private func write(_ response: inout CallResponse, of call: Call, upTo count: Int?) async throws(APIError) {
        var chunks = response.body.makeAsyncIterator()
        var written = 0
        do {
            while let chunk = try await chunks.next() {
                guard chunk.count <= (count ?? .max) - written else {
                    throw TransportError(.invalidResponse, "it has more bytes than its Content-Range")
                }
                try await onDisk(call) { try await part.append(chunk) }
                written += chunk.count
            }
            if let count, written < count { throw TransportError(.connectionLost, "the range is not complete") }
        } catch let error as APIError {
            throw error
        } catch {
            throw call.transportFailure(TransportError(wrapping: error), sent: response.request)
        }
        if call.isObserved { call.report(.body(bytes: written), of: response) }
        response.finishDownload()
    }

    /// Performs file operations, and throws their errors as `APIError`s of the call.
    func onDisk<Value: Sendable>(
        _ call: Call,
        _ work: () async throws -> Value
    ) async throws(APIError) -> Value {
        do {
            return try await work()
        } catch let error as FileSystemError {
            throw failure(APIError.DownloadFailure.Reason(error), of: call)
        } catch let error as PartFile.Failure {
            throw failure(error.reason, of: call)
        } catch {
            throw call.failure(error)
        }
    }

    /// Returns the failure of a download.
    func failure(_ reason: APIError.DownloadFailure.Reason, of call: Call) -> APIError {
        let failedCall = call.plan.failedCall(attempt: call.attempt)
        return .download(APIError.DownloadFailure(call: failedCall, file: part.target, reason: reason))
    }
}

extension Call {
    /// The method, the path template and a hash of the path, which identify the endpoint in a record.
    ///
    /// The path is hashed because its values may be secret.
    fileprivate var endpointName: String {
        "\(plan.method) \(plan.template) \(SHA256.hexadecimal(SHA256.hash(plan.path.utf8)))"
    }
}

extension CallRequest {
    /// Returns the request with the header fields that request the file or its missing bytes.
    fileprivate func forDownload(_ state: ResumeState) -> CallRequest {
        var request = self
        // Request no content coding: ranges count encoded bytes, but encoding the same file twice can yield different
        // bytes.
        if !headerFields.contains(.acceptEncoding) { request.headerFields[.acceptEncoding] = "identity" }
        if !headerFields.contains(.wantReprDigest) { request.headerFields[.wantReprDigest] = "sha-256=10" }
        if let offset = state.requestedOffset, let record = state.record {
            request.headerFields[.range] = "bytes=\(offset)-"
            request.headerFields[.ifRange] = record.validator.fieldValue
        }
        return request
    }
}

extension CallResponse {
    /// Converts the response to one for the complete file, whose body has been written (RFC 9110, section 15.3.7.3).
    fileprivate mutating func finishDownload() {
        if status == 206 || status == 416 { message.status = 200 }
        body = HTTPBody(Data(), trailerFields: body.trailerFields)
        isRead = true
    }
}
