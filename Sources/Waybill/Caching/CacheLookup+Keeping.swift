// The storing half of a cache lookup.

extension CacheLookup {
    /// Returns the response to keep after a 304 has updated one; nil to keep none.
    func kept(_ updated: StoredResponse, by response: CallResponse) -> StoredResponse? {
        guard StoredResponse.mayBeStored(updated.status, CacheControl(response.headerFields)) else { return nil }
        return response.headerFields.contains(.vary)
            ? updated.selected(by: request.message, digest: cache.digest) : updated
    }

    /// Keeps a response in place of another one, or removes that one if the new response may not be kept.
    func keep(
        _ new: StoredResponse?,
        sent response: CallResponse,
        _ reading: Int,
        replacing old: StoredResponse?
    ) async {
        // A step below may have changed a field that the response varies by: no lookup up here could find it again.
        let varied = new?.variant.names.contains { name in
            guard let name = HTTPField.Name(name), let sent = response.request else { return false }
            return !request.secretNames.contains(name)
                && !sent.headerFields.hasSameValue(as: request.headerFields, of: name)
        }
        // A response to another user, or from elsewhere, says nothing about what is stored here.
        guard isOwn(response), cache.isCurrent(reading, key), !(varied ?? false) else {
            cache.giveUpReading(reading, key)
            return
        }
        if let new, new.byteCount <= cache.entryLimit {
            let id = cache.id(of: new, key)
            if let old, cache.id(of: old, key) != id { await cache.store.remove(cache.id(of: old, key)) }
            await cache.store.store(new, as: id, at: now)
            // A change that came in between has found nothing to remove.
            if !cache.endReading(reading, key) { await cache.store.remove(id) }
            return
        }
        cache.giveUpReading(reading, key)
        if let old, response.message.describesTarget, !old.isDescribed(by: response.message, to: request.message) {
            await cache.store.remove(cache.id(of: old, key))
        }
    }

    /// Whether the response was given to the user for whom it will be kept, and by the URL that was asked: a
    /// credential's source may have another user by now, and a redirect leads to another URL's response.
    func isOwn(_ response: CallResponse) -> Bool {
        // A 303 after a QUERY is followed by a GET, perhaps of the same URL.
        guard let sent = response.request, sent.method == request.method, (response.url ?? sent.url) == request.url
        else { return false }
        return step.settings.user != nil || CallerIdentity(of: sent) == owner
    }
}
