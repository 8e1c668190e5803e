import Foundation
import Waybill

/// The secret values of a multipart body, by the names of its parts (RFC 7578, section 4.2).
enum MultipartSecrets {
    /// Returns the texts of the parts with a secret name.
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
        // Not the end of `filename="`.
        guard let start = text.firstRange(ofBytes: " name=\"")?.upperBound else { return nil }
        return String(text[start...].prefix { $0 != "\"" }).replacing(bytes: "\\\\", with: "\\")
    }
}
