import Foundation
import Waybill

extension RecordedExchange {
    /// Removes secret values that became known with another exchange of the file.
    mutating func remove(_ names: SecretNameSet) {
        let values = names.longValues
        template = Redaction.removing(values, from: template)
        url = Redaction.url(text: url, secretNames: names)
        responseURL = responseURL.map { Redaction.url(text: $0, secretNames: names) }
        requestFields = Redaction.fields(requestFields, secretNames: names)
        requestBody?.remove(names)
        status = HTTPResponse.Status(
            code: status.code,
            reasonPhrase: Redaction.removing(values, from: status.reasonPhrase)
        )
        responseFields = Redaction.fields(responseFields, secretNames: names)
        trailerFields = Redaction.fields(trailerFields, secretNames: names)
        let length = responseBody.bytes.count
        responseBody.remove(names)
        keepLength(of: length)
        if let message = fault?.message { fault?.message = Redaction.removing(values, from: message) }
    }

    /// Keeps a `Content-Length` right that was right for the former length of the body.
    mutating func keepLength(of length: Int) {
        let count = responseBody.bytes.count
        guard count != length, responseFields[.contentLength] == "\(length)" else { return }
        responseFields[.contentLength] = "\(count)"
    }
}

extension RecordedBody {
    /// Removes the values of secret members, and secret values.
    mutating func remove(_ names: SecretNameSet) {
        let values = names.longValues
        if let text {
            let isForm = MediaType(mediaType) == .form
            let shown = isForm ? text : SecretMembers.removed(from: text, names)
            bytes = Data(Redaction.removing(values, from: shown).utf8)
        } else {
            for value in values {
                bytes = bytes.replacing(Data(value.utf8), with: Data(Redaction.mark.utf8))
            }
        }
    }
}

extension Data {
    /// Returns the bytes with each occurrence of some bytes replaced.
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
