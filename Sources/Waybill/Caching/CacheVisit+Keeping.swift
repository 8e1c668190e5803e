// What a cache keeps of an answer.

extension CacheVisit {
    /// What is to be kept of an answer that a 304 has brought up to date; nil for nothing.
    func kept(_ updated: StoredResponse, by response: HTTPResponse) -> StoredResponse? {
        guard !CacheControl(response.headerFields).contains("no-store") else { return nil }
        return response.headerFields.contains(.vary) ? updated.selected(by: request, digest: cache.digest) : updated
    }

    /// Keeps an answer in place of another one, or forgets that one where the new answer is not to be kept.
    func keep(
        _ new: StoredResponse?,
        sent response: HTTPResponse,
        _ reading: Int,
        replacing old: StoredResponse?
    ) async {
        // A step below may have changed what the answer varies by: nobody up here could find it again.
        let varied = new?.variant.names.contains { name in
            guard let name = HTTPField.Name(name), let sent = response.request else { return false }
            return !request.secretNames.contains(name)
                && !sent.headerFields.hasSameValue(as: request.headerFields, of: name)
        }
        // An answer to somebody else, or from elsewhere, says nothing of what is stored here.
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
        if let old, response.isVerdict, !old.isDescribed(by: response, to: request) {
            await cache.store.remove(cache.id(of: old, key))
        }
    }

    /// Whether the answer was given to whom it will be kept for, and by the URL that was asked: a credential's source
    /// may have another user by now, and a redirect leads to another URL's answer.
    func isOwn(_ response: HTTPResponse) -> Bool {
        guard let sent = response.request, (response.url ?? sent.url) == request.url else { return false }
        return step.settings.user != nil || CallerIdentity(of: sent) == owner
    }
}
