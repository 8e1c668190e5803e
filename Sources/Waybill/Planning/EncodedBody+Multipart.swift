import WaybillSystem

extension EncodedBody {
    /// The errors of the parts of a form.
    struct RejectedParts: Error {
        let declarationErrors: [DeclarationError]
    }

    init(_ form: MultipartForm) {
        self.init(form.body, contentType: form.contentType, format: .multipart, form: form)
    }

    /// Encodes the parts of a form.
    ///
    /// - Throws: ``RejectedParts`` with the errors of all parts.
    static func parts(_ parts: [Part], by encoding: Encoding) throws -> [EncodedPart] {
        var encoded: [EncodedPart] = []
        var declarationErrors: [DeclarationError] = []
        for part in parts {
            do {
                encoded += try encoding.parts(of: part)
            } catch {
                declarationErrors.append(
                    DeclarationError(
                        clause: "Part",
                        value: part.name?.debugDescription ?? "",
                        reason: EncodingReason.text(of: error)
                    )
                )
            }
        }
        guard declarationErrors.isEmpty else { throw RejectedParts(declarationErrors: declarationErrors) }
        return encoded
    }
}

extension EncodedBody.Encoding {
    /// Encodes a part of a form, which a value that is flattened makes several of.
    fileprivate func parts(of part: Part) throws -> [EncodedPart] {
        let name = part.name ?? ""
        switch part.content {
        case .none: return []
        case .text(let text):
            guard let text else { throw EncodedPart.Rejection(description: "its value has no text") }
            return [try EncodedPart(name, text: text, contentType: part.contentType)]
        case .fileAsText:
            throw EncodedPart.Rejection(
                description: "its value is the path of a file, which would be sent as text; send the file with"
                    + " Part(\(name.debugDescription), file: url)"
            )
        case .json(let value):
            return [try EncodedPart(name, HTTPBody(json(value)), contentType: part.contentType)]
        case .form(let value, let style):
            return try items(of: value, named: part.name, as: style).map { try EncodedPart($0) }
        case .bytes(let body):
            return [try EncodedPart(name, body, fileName: part.fileName, contentType: part.contentType)]
        case .file(let file):
            let body = try HTTPBody(file: file)
            return [try EncodedPart(name, body, fileName: part.fileName, contentType: part.contentType, file: file)]
        }
    }
}
