import Waybill
import WaybillSystem

/// The outcome of sending an outbox request.
enum SentRequest: Sendable {
    /// The result of a single write.
    case write(SentWrite)
    /// The results of a batch, in the order of the request body.
    case batch([Result<SentWrite, APIError.ItemsFailure.Item>])
    /// The call failed.
    case failed(APIError)
    /// The response does not match the batch, for the given reason, and is discarded.
    case mismatch(String)
}

/// The result of a write on the server.
struct SentWrite: Sendable {
    /// The server's version; nil for a deletion.
    let document: JSONValue?

    /// The strong entity tag of that version; nil if it has none.
    let entityTag: String?

    /// The version with its original text in the response; nil if it did not come from a response.
    var source: JSONDocument?
}

extension SentWrite {
    init(_ response: Response<DocumentResource.Document>) {
        document = response.value.json
        source = response.value.source
        entityTag = response.entityTag.flatMap { $0.isWeak ? nil : "\($0)" }
    }

    /// Returns a copy with the id converted to the JSON type that the item type decodes.
    func withReadableID(in collection: any RegisteredCollection) -> SentWrite {
        guard let document else { return self }
        return SentWrite(document: collection.withReadableID(document), entityTag: entityTag, source: source)
    }
}

extension ClaimedRequest {
    /// Sends the request, and returns the outcome.
    func transmit() async -> SentRequest {
        guard let request else { return .mismatch("the request has no body yet") }
        do throws(APIError) {
            return request.isBatch ? try await transmitBatch(request) : .write(try await transmitWrite(request))
        } catch {
            return .failed(error)
        }
    }

    private func transmitWrite(_ request: OutboxRequest) async throws(APIError) -> SentWrite {
        let (row, documents) = (first.row, request.documents)
        let resource = collection.resource.conditioned(
            for: operation.declared,
            key: request.key,
            entityTag: request.entityTag
        )
        let id = collection.operationID(of: row)
        switch operation {
        case .create: return SentWrite(try await resource.create(documents.first ?? JSONDocument(.null)).response())
        case .update, .replace:
            // A version fetched since an earlier attempt shows that it took effect.
            if request.losses == 0, first.write.attempts > 1, first.states.before == first.states.after {
                return SentWrite(document: first.states.after, entityTag: row.entityTag)
            }
            return SentWrite(try await resource.update(id, documents.first ?? JSONDocument(.null)).response())
        case .patch:
            let (before, after) = (documents.first?.value ?? .object([:]), documents.last?.value ?? .object([:]))
            guard let endpoint = try resource.patch(id, from: before, to: after) else {
                return SentWrite(document: after, entityTag: row.entityTag)
            }
            return SentWrite(try await endpoint.response())
        case .delete:
            _ = try await resource.delete(id).response()
            return SentWrite(document: nil, entityTag: nil)
        }
    }

    private func transmitBatch(_ request: OutboxRequest) async throws(APIError) -> SentRequest {
        let resource = collection.resource.conditioned(for: operation, key: request.key, entityTag: nil)
        let results = try await resource.batch(operation.batched ?? .createBatch, request.documents).send()
        if let reason = mismatch(of: results, with: request) { return .mismatch(reason) }
        return .batch(results.map { $0.map { SentWrite(document: $0.json, entityTag: nil, source: $0.source) } })
    }

    /// Returns why the results do not match the batch; nil if they match.
    private func mismatch(
        of results: [Result<DocumentResource.Document, APIError.ItemsFailure.Item>],
        with request: OutboxRequest
    ) -> String? {
        let count = request.documents.count
        guard results.count == count else { return "it has \(results.count) items instead of \(count)" }
        var ids: Set<String> = []
        for (number, result) in zip(request.writes, results) {
            guard case .success(let document) = result else { continue }
            guard let id = collection.id(of: document.json)?.text else { return "an item has no id" }
            guard ids.insert(id).inserted else { return "two items have the id \(id)" }
            guard operation != .create, let row = writes.first(where: { $0.write.number == number })?.row else {
                continue
            }
            guard id == row.id else { return "it has the item \(id) where the item \(row.id) was expected" }
        }
        return nil
    }
}

extension DocumentResource {
    /// Returns the resource with a request's idempotency key and entity tag.
    fileprivate func conditioned(
        for operation: OutboxWrite.Operation,
        key: String,
        entityTag: String?
    ) -> DocumentResource {
        conditioned(for: operation.batched ?? operation.declared, key: key, entityTag: entityTag)
    }
}
