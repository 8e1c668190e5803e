extension HTTPField.Name {
    /// Creates a name from bytes that spell a name which most servers send; nil for any other.
    ///
    /// It costs less than to check a name and to put it into lower case.
    package init?(knownBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count < Self.knownNames.count else { return nil }
        for known in Self.knownNames[bytes.count] where known.rawName.utf8.elementsEqual(bytes) {
            self = known
            return
        }
        return nil
    }

    /// The names, by the numbers of their bytes.
    private static let knownNames: [[HTTPField.Name]] = {
        let others = ["Accept-Ranges", "Keep-Alive", "Server", "Strict-Transport-Security", "X-Request-Id"]
        let names =
            [
                .age, .cacheControl, .connection, .contentEncoding, .contentLength, .contentType, .date, .eTag,
                .expires, .lastModified, .link, .location, .retryAfter, .setCookie, .transferEncoding, .vary,
            ] + others.compactMap { HTTPField.Name($0) }
        let longest = names.map(\.rawName.utf8.count).max() ?? 0
        return (0...longest).map { count in names.filter { $0.rawName.utf8.count == count } }
    }()
}
