import WaybillSystem

/// The secrets of a request as it was sent, which a server may repeat in its response.
private final class SentRequestSecrets: CallSecrets {
    private let request: CallRequest

    init(_ request: CallRequest) { self.request = request }

    var names: SecretNameSet { request.secretNames }

    var values: [String] { SentSecrets.values(of: request) + request.secrets.values }

    func sent(with request: CallRequest) -> any CallSecrets { request.sentSecrets(knowing: self) }
}

/// The same of a request with a large body, which a response must not keep in memory.
private final class CollectedSecrets: CallSecrets {
    let names: SecretNameSet
    let values: [String]

    init(_ request: CallRequest, _ known: any CallSecrets) {
        names = request.secretNames
        values = SentSecrets.values(of: request) + known.values
    }

    func sent(with request: CallRequest) -> any CallSecrets { request.sentSecrets(knowing: self) }
}

extension CallRequest {
    /// Returns the secrets that a response may repeat; the known ones, for which nothing is allocated, if there are no
    /// others.
    func sentSecrets(knowing known: any CallSecrets) -> any CallSecrets {
        if body?.bytes?.count ?? 0 > SentSecrets.longestBody { return CollectedSecrets(self, known) }
        return !credentials.isEmpty || hasSecretNames ? SentRequestSecrets(self) : known
    }

    /// Whether a header field or a query item has a secret name.
    private var hasSecretNames: Bool {
        let names = secretNames
        return headerFields.containsName { names.contains($0) } || url.value.hasQueryItem { names.contains($0) }
    }
}

extension URL {
    /// Whether the name of a query item satisfies a condition.
    ///
    /// Looked at byte by byte: `URLComponents` costs some 20 allocations.
    fileprivate func hasQueryItem(_ isWanted: (String) -> Bool) -> Bool {
        let text = absoluteString.utf8
        guard var start = text.firstIndex(of: UInt8(ascii: "?")) else { return false }
        while start < text.endIndex {
            start = text.index(after: start)
            let end = text[start...].firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "&") } ?? text.endIndex
            let name = String(Substring(text[start..<end]))
            if isWanted(name.contains("%") ? PercentEncoding.decode(name) ?? name : name) { return true }
            start = text[end...].firstIndex(of: UInt8(ascii: "&")) ?? text.endIndex
        }
        return false
    }
}
