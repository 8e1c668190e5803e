import Waybill
import WaybillSystem

extension UploadExchange {
    /// Sends the request that creates the upload, with the whole body if the transport reports interim responses.
    func create() async throws(APIError) -> Move {
        let maximumPartBytes = step.maximumPartBytes
        let createsFirst =
            content.length > 0
            && (!step.uploadProtocol.createsWithContent || !call.context.hasInterimResponses || maximumPartBytes != nil
                || step.state.withLock { $0.mustCreateFirst })
        let hasContent = step.uploadProtocol.createsWithContent && !createsFirst
        var creation = request
        for (name, value) in step.uploadProtocol.creationFields(length: content.length, isComplete: hasContent) {
            creation.headerFields[name] = value
        }
        if !hasContent {
            creation.body = HTTPBody()
            // In the draft, the content fields describe the upload; in tus, they describe the content of the request
            // itself.
            if kind == .tus { creation.headerFields.removeAll { $0.name.describesContent } }
        }
        creation.uploadPart = part(at: 0, isCreation: true)
        let response = try await send(creation, upTo: hasContent ? content.length : 0)
        return try await created(response, hasContent: hasContent)
    }

    private func created(_ response: CallResponse, hasContent: Bool) async throws(APIError) -> Move {
        let fields = try await fields(of: response)
        guard (200..<300).contains(response.status.code) else {
            return try await notCreated(response, fields, hasContent: hasContent)
        }
        if hasContent, fields.isComplete != false {
            try await checkComplete(response, fields)
            step.noteEnd(of: call)
            call.plan.control?.acknowledge(content.length)
            return .finish(response)
        }
        if fields.isComplete == true { throw await fail(.completedEarly(offset: 0), dropping: response) }
        if let offset = fields.offset, offset > sentBytes {
            throw await fail(.invalidOffset(offset), dropping: response)
        }
        try await readLimits(of: response)
        let base = response.url ?? request.url
        let known = step.state.withLock { $0.url }
        guard let url = try location(in: response.headerFields, from: base) ?? known else {
            throw await fail(.invalidField(name: HTTPField.Name.location.rawName, value: nil), dropping: response)
        }
        // All responses to the creation request must contain the same URL.
        if let known, known != url {
            let value = response.headerFields[.location]
            throw await fail(.invalidField(name: HTTPField.Name.location.rawName, value: value), dropping: response)
        }
        step.note(url: url, of: call)
        if known == nil { step.beginSaving(token(at: url)) }
        if content.length == 0, kind == .tus {
            step.noteEnd(of: call)
            var response = response
            response.url = url
            return .finish(response)
        }
        await response.message.discardBody()
        // Save the token before sending more, so that the upload can be resumed if the process dies.
        await step.finishSaving()
        if hasContent { return .retrieveOffset }
        try note(offset: 0)
        return .append(from: 0)
    }

    private func notCreated(
        _ response: CallResponse,
        _ fields: UploadResponse,
        hasContent: Bool
    ) async throws(APIError) -> Move {
        if fields.isComplete == true {
            step.noteEnd(of: call)
            return .finish(response)
        }
        guard response.status == 413, hasContent || kind == .tus else {
            // Without content, the response belongs to the protocol, not to the resource.
            return hasContent ? .finish(response) : try await failed(response)
        }
        try await readLimits(of: response)
        let (limit, isCreated) = step.state.withLock { state in
            state.mustCreateFirst = true
            return (state.limits.maxAppendSize, state.url != nil)
        }
        guard hasContent, let limit, limit < content.length else { return try await failed(response) }
        await response.message.discardBody()
        return isCreated ? .retrieveOffset : .create
    }

    /// Asks the server for the number of received bytes.
    func retrieveOffset() async throws(APIError) -> Move {
        guard let url = step.state.withLock({ $0.url }) else { return .create }
        let known = max(0, progress.withLock { $0.highest })
        let head = request.continued(.head, at: url, plan: call.plan, part(at: known))
        let response = try await send(head, upTo: 0)
        let fields = try await fields(of: response)
        guard (200..<300).contains(response.status.code) else { return try await expired(response) }
        guard let offset = fields.offset else {
            throw await fail(.invalidField(name: HTTPField.Name.uploadOffset.rawName, value: nil), dropping: response)
        }
        if kind == .draft, fields.isComplete == nil {
            throw await fail(.invalidField(name: HTTPField.Name.uploadComplete.rawName, value: nil), dropping: response)
        }
        if let length = fields.length, length != content.length {
            throw await fail(.differentLength(length), dropping: response)
        }
        try await readLimits(of: response)
        try note(offset: offset)
        let isComplete = kind == .tus ? offset == content.length : fields.isComplete ?? false
        guard isComplete else { return .append(from: offset) }
        guard offset == content.length else { throw await fail(.completedEarly(offset: offset), dropping: response) }
        step.noteEnd(of: call)
        if let pending = progress.withLock({ $0.pending.take() }) { return .finish(pending) }
        // In tus, the response to the last part has no content either.
        if kind == .tus { return .finish(response) }
        throw await fail(.lostResponse, dropping: response)
    }

    /// Sends the bytes at the given offset, as many as the part size and the server's limits allow.
    func append(from offset: Int) async throws(APIError) -> Move {
        try await checkFiles()
        guard let url = step.state.withLock({ $0.url }) else { return .create }
        let count = step.state.withLock { state in
            state.limits.count(remaining: content.length - offset, maximumPartBytes: step.maximumPartBytes)
        }
        let end = offset + count
        let isLast = end == content.length
        guard let bytes = content.body.part(offset..<end) else { throw step.failure(.bodyIsNotSeekable, of: call) }
        var patch = request.continued(.patch, at: url, plan: call.plan, part(at: offset))
        patch.body = count == 0 ? HTTPBody() : bytes
        patch.headerFields[.uploadOffset] = "\(offset)"
        patch.headerFields[.contentType] =
            kind == .tus ? "application/offset+octet-stream" : "application/partial-upload"
        if kind == .draft { patch.headerFields[.uploadComplete] = isLast ? "?1" : "?0" }
        progress.withLock { $0.pending = nil }
        var response = try await send(patch, upTo: end)
        let fields = try await fields(of: response)
        if fields.isComplete == true {
            let isFailure = !(200..<300).contains(response.status.code)
            guard isLast || isFailure else { throw await fail(.completedEarly(offset: end), dropping: response) }
            if !isFailure {
                try await checkComplete(response, fields)
                call.plan.control?.acknowledge(end)
            }
            step.noteEnd(of: call)
            return .finish(response)
        }
        guard (200..<300).contains(response.status.code) else {
            return try await notAppended(response, fields, from: offset, count: count)
        }
        if kind == .tus || !isLast {
            guard let received = kind == .tus ? fields.offset : fields.offset ?? end else {
                let name = HTTPField.Name.uploadOffset.rawName
                throw await fail(.invalidField(name: name, value: nil), dropping: response)
            }
            try note(offset: received, end: end)
            if kind == .tus, received == content.length {
                step.noteEnd(of: call)
                return .finish(response)
            }
            await response.message.discardBody()
            return .append(from: received)
        }
        // In the draft, a final response is marked as complete. Without the mark, only the server's offset shows
        // whether the upload is complete.
        try await call.at(attempt: response.attempt).readBody(of: &response)
        progress.withLock { [response] in $0.pending = response }
        try noteSetback()
        return .retrieveOffset
    }

    private func notAppended(
        _ response: CallResponse,
        _ fields: UploadResponse,
        from offset: Int,
        count: Int
    ) async throws(APIError) -> Move {
        switch response.status {
        case 409:
            if kind == .draft, fields.offset == offset { return try await failed(response) }
            await response.message.discardBody()
            guard kind == .draft, let received = fields.offset else {
                try noteSetback()
                return .retrieveOffset
            }
            try note(offset: received)
            return .append(from: received)
        case 413:
            try await readLimits(of: response)
            guard let limit = step.state.withLock({ $0.limits.maxAppendSize }), limit < count else {
                return try await failed(response)
            }
            await response.message.discardBody()
            return .retrieveOffset
        default: return try await expired(response)
        }
    }

    /// Ends the attempt with a failed response; throws after a 404 or 410, because the upload has expired.
    private func expired(_ response: CallResponse) async throws(APIError) -> Move {
        guard response.status == 404 || response.status == 410 else { return try await failed(response) }
        throw await fail(.expired(response.status), dropping: response)
    }

    private func part(at offset: Int) -> UploadPart { part(at: offset, isCreation: false) }
}

extension CallRequest {
    /// Returns a request to the upload's URL, without the fields that apply only to the creation request.
    fileprivate func continued(
        _ method: HTTPRequest.Method,
        at url: URL,
        plan: Call.Plan,
        _ part: UploadPart
    ) -> CallRequest {
        let keyName = plan.settings[IdempotencyKey.self]?.name
        let isForeign =
            HTTPRequest.Origin(url) != HTTPRequest.Origin(self.url)
            || HTTPRequest.Origin(url) != HTTPRequest.Origin(plan.url)
        var request = self
        request.method = method
        request.body = nil
        request.uploadPart = part
        request.headerFields.removeAll { field in
            field.name.describesContent || field.name.describesCreation || field.name == keyName
                || isForeign && (field.name == .host || secretNames.contains(field.name))
        }
        if isForeign {
            request.hasLeftOrigin = true
            request.credentials = []
            // A URL on another origin may contain secrets of the request.
            request.secretNames = secretNames.hidingValues(of: self)
        }
        request.url = url
        return request
    }
}

extension HTTPField.Name {
    /// Whether a field describes the request's content.
    fileprivate var describesContent: Bool {
        canonicalName.hasPrefix("content-") || canonicalName == "repr-digest" || canonicalName == "digest"
    }

    /// Whether a field applies only to the request that creates the upload.
    fileprivate var describesCreation: Bool {
        [
            .uploadLength, .uploadMetadata, .uploadComplete, .ifMatch, .ifNoneMatch, .ifModifiedSince,
            .ifUnmodifiedSince, .range, .prefer,
        ].contains(self) || canonicalName == "idempotency-key"
    }
}
