import Waybill

// Storing responses after a cache lookup.

extension CacheLookup {
    /// Returns the updated response to store after a 304; nil if it must not be stored.
    func kept(_ updated: StoredResponse, by response: CallResponse) -> StoredResponse? {
        guard StoredResponse.mayBeStored(updated.status, CacheControl(response.headerFields)) else { return nil }
        return response.headerFields.contains(.vary)
            ? updated.selected(by: request.message, digest: cache.digest) : updated
    }

    /// Stores a response in place of an old one, or removes the old one if the response supersedes it but cannot be
    /// stored.
    func keep(
        _ new: StoredResponse?,
        sent response: CallResponse,
        _ reading: Int,
        replacing old: StoredResponse?
    ) async {
        // If an inner step has changed a field listed in `Vary`, a lookup at this level could not find the response.
        let varied = new?.variant.names.contains { name in
            guard let name = HTTPField.Name(name), let sent = response.request else { return false }
            return !request.secretNames.contains(name)
                && !sent.headerFields.hasSameValue(as: request.headerFields, of: name)
        }
        // A response for a different user or URL does not affect the stored one.
        guard isOwn(response), cache.isCurrent(reading, key), !(varied ?? false) else {
            cache.giveUpReading(reading, key)
            return
        }
        if let new, new.byteCount <= cache.maximumEntryBytes {
            let id = cache.id(of: new, key)
            if let old, cache.id(of: old, key) != id { await cache.store.remove(cache.id(of: old, key)) }
            await cache.store.store(new, as: id, at: now)
            // The resource changed while the response was being stored.
            if !cache.endReading(reading, key) { await cache.store.remove(id) }
            return
        }
        cache.giveUpReading(reading, key)
        if let old, response.message.describesTarget, !old.isDescribed(by: response.message, to: request.message) {
            await cache.store.remove(cache.id(of: old, key))
        }
    }

    /// Whether the response is for the caller and URL of the request.
    ///
    /// A credential's source may have switched to a different user, and a redirect may have changed the URL.
    func isOwn(_ response: CallResponse) -> Bool {
        // A 303 response redirects a QUERY request to a GET request, possibly for the same URL.
        guard let sent = response.request, sent.method == request.method, (response.url ?? sent.url) == request.url
        else { return false }
        return step.settings.user != nil || CallerIdentity(of: sent) == owner
    }
}
