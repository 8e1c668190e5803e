import Foundation

/// The secrets of a call, for the texts that are made of its messages.
///
/// Header fields and URLs refer to it, so that each of them can be printed by itself.
package protocol CallSecrets: AnyObject, Sendable {
    /// The names whose values are secret.
    var names: SecretNameSet { get }

    /// The values that are secret wherever they stand.
    ///
    /// Collected each time: only texts need them, and most calls are never printed.
    var values: [String] { get }
}

extension CallSecrets {
    /// The names, and the values in the forms in which texts write them.
    package var hidden: SecretNameSet { names.hiding(values) }

    /// Returns a text without the secret values.
    package func removed(from text: String, isExcerpt: Bool = false) -> String {
        Redaction.removing(hidden.longValues, from: text, isExcerpt: isExcerpt)
    }
}

/// The secrets of a request as it was sent, which a server may repeat in its response.
final class SentRequestSecrets: CallSecrets {
    private let request: HTTPRequest

    init(_ request: HTTPRequest) {
        var request = request
        // A body that is not searched is not kept in memory with the response.
        if request.body?.bytes?.count ?? 0 > SentSecrets.longestBody { request.body = nil }
        self.request = request
    }

    var names: SecretNameSet { request.secretNames }

    var values: [String] { SentSecrets.values(of: request) + (request.secrets?.values ?? []) }
}

/// The secrets of a call with names that became known while it was under way, such as those of a signature.
final class ExtendedSecrets: CallSecrets {
    let names: SecretNameSet
    private let base: (any CallSecrets)?

    init(_ names: SecretNameSet, base: (any CallSecrets)?) {
        self.names = names
        self.base = base
    }

    var values: [String] { base?.values ?? [] }
}

extension HTTPRequest {
    /// The secrets that a response to this request may repeat.
    ///
    /// Nothing is allocated for a request that has no secrets but those of its plan.
    var sentSecrets: (any CallSecrets)? {
        let isLarge = body?.bytes?.count ?? 0 > SentSecrets.longestBody
        return credential != nil || isLarge || hasSecretNames ? SentRequestSecrets(self) : secrets
    }

    /// Whether a header field or a query item has a secret name.
    private var hasSecretNames: Bool {
        for field in headerFields.stored where secretNames.contains(field.name) { return true }
        return url.value.hasQueryItem { secretNames.contains($0) }
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
            let name = Substring(text[start..<end])
            if isWanted(name.contains("%") ? name.removingPercentEncoding ?? String(name) : String(name)) { return true }
            start = text[end...].firstIndex(of: UInt8(ascii: "&")) ?? text.endIndex
        }
        return false
    }
}
