import Foundation
import Waybill

/// The secret values known for a recording file.
///
/// A value is removed from every exchange in the file, including those before the request that sends it.
struct RecordingSecrets: Sendable {
    private var values: [String] = []
    private var known: Set<String> = []

    /// The maximum number of values; beyond it, the oldest are dropped.
    var limit: Int?

    init(upTo limit: Int? = nil) { self.limit = limit }

    /// The number of values; if it is unchanged, there is nothing new to remove.
    var count: Int { values.count }

    /// The minimum length, in characters, of a value that is removed from other exchanges.
    ///
    /// A shorter value may be a common word in a path or a key. For the same reason, a value that equals a well-known
    /// secret name, such as `password`, is never removed.
    private static let shortestValue = 8

    mutating func formUnion(_ others: Set<String>) {
        let new = others.filter { other in
            other.count >= Self.shortestValue && !known.contains(other) && !SecretNameSet.usual.contains(other)
                && !other.contains(Redaction.mark)
        }
        known.formUnion(new)
        values += new
        guard let limit, values.count > limit else { return }
        known.subtract(values.prefix(values.count - limit))
        values.removeFirst(values.count - limit)
    }

    /// Returns all values except the first `count`, which have already been removed.
    func names(since count: Int = 0) -> SecretNameSet { SecretNameSet().hiding(values.dropFirst(count)) }
}

extension RecordingSecrets: CustomStringConvertible, CustomReflectable {
    var description: String { Redaction.mark }

    var customMirror: Mirror { Mirror(self, children: []) }
}

/// The secret values of a multipart body, by part name (RFC 7578, section 4.2).
enum MultipartSecrets {
    /// Returns the texts of the parts with secret names.
    static func values(in body: Data, boundary: String, _ names: SecretNameSet) -> [String] {
        let delimiter = Data("--\(boundary)".utf8)
        let emptyLine = Data("\r\n\r\n".utf8)
        var values: [String] = []
        var rest = body[...]
        while let start = rest.range(of: delimiter)?.upperBound {
            rest = rest[start...]
            let part = rest[..<(rest.range(of: delimiter)?.lowerBound ?? rest.endIndex)]
            guard let split = part.range(of: emptyLine), let name = name(in: part[..<split.lowerBound]),
                names.contains(name)
            else { continue }
            let value = String(decoding: part[split.upperBound...], as: UTF8.self)
            values.append(value.hasSuffix("\r\n") ? String(value.dropLast()) : value)
        }
        return values
    }

    private static func name(in head: Data) -> String? {
        let text = String(decoding: head, as: UTF8.self)
        // The space excludes `filename="`.
        guard let start = text.firstRange(ofBytes: " name=\"")?.upperBound else { return nil }
        return String(text[start...].prefix { $0 != "\"" }).replacing(bytes: "\\\\", with: "\\")
    }
}

extension RecordedExchange {
    /// Removes secret values found in other exchanges.
    ///
    /// - Returns: whether the exchange contained any.
    @discardableResult
    mutating func remove(_ search: SecretSearch) -> Bool {
        let found = search.values(in: self)
        if !found.isEmpty { remove(SecretNameSet().hiding(found)) }
        return !found.isEmpty
    }

    /// Removes the secrets of this exchange, or values that are secret in another exchange of the file.
    mutating func remove(_ names: SecretNameSet) {
        let values = names.longValues
        template = Redaction.removing(values, from: template)
        url = Redaction.url(text: url, secretNames: names)
        responseURL = responseURL.map { Redaction.url(text: $0, secretNames: names, isRedirect: true) }
        requestFields = Redaction.fields(requestFields, secretNames: names)
        requestBody?.remove(names)
        status = HTTPResponse.Status(
            code: status.code,
            reasonPhrase: Redaction.removing(values, from: status.reasonPhrase)
        )
        responseFields = Redaction.fields(responseFields, secretNames: names)
        trailerFields = Redaction.fields(trailerFields, secretNames: names)
        removeFromResponseBody(names)
        if let message = fault?.message { fault?.message = Redaction.removing(values, from: message) }
    }

    /// Updates a `Content-Length` that matched the former length of the body.
    mutating func keepLength(of length: Int) {
        let count = responseBody.bytes.count
        guard count != length, responseFields[.contentLength] == "\(length)" else { return }
        responseFields[.contentLength] = "\(count)"
    }
}

extension Data {
    /// Returns the data with each occurrence of a byte sequence replaced.
    func replacing(_ bytes: Data, with other: Data) -> Data {
        var replaced = Data()
        var rest = self[...]
        while !bytes.isEmpty, let found = rest.range(of: bytes) {
            replaced += rest[..<found.lowerBound] + other
            rest = rest[found.upperBound...]
        }
        return replaced + rest
    }
}
