#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension EncodedBody {
    /// The error of a body that cannot have members.
    struct NotAnObject: Error, CustomStringConvertible {
        let description = "a member needs a body that is a JSON object or a form, and this request's body is neither"
    }

    /// Returns the body with a JSON merge patch applied to it.
    ///
    /// - Throws: ``NotAnObject`` if it is not JSON.
    func merging(_ patch: JSONValue) throws -> EncodedBody {
        guard format != .form, form == nil,
            let document = try? JSONDefaults.decoder.decode(JSONValue.self, from: body.bytes ?? Data())
        else { throw NotAnObject() }
        return EncodedBody(
            HTTPBody(try JSONDefaults.encoder.encode(document.applying(mergePatch: patch))),
            contentType: contentType,
            keys: keys,
            format: format,
            isJSON: true
        )
    }

    /// Returns the body with a member at its top.
    ///
    /// - Parameters:
    ///   - value: the value of the member.
    ///   - name: the name of the member.
    ///   - encoding: the encoding of the body.
    /// - Returns: the body with the member, which replaces an equal name.
    /// - Throws: ``NotAnObject`` if it is neither a form nor an object of JSON; the encoding error of the value.
    func adding(_ value: any Encodable, named name: String, by encoding: Encoding) throws -> EncodedBody {
        switch format {
        case .form:
            let added = EncodedBody(form: try encoding.formItems(value, named: name)).body.bytes ?? Data()
            let bytes = body.bytes ?? Data()
            let separator = bytes.isEmpty || added.isEmpty ? Data() : Data("&".utf8)
            return EncodedBody(HTTPBody(bytes + separator + added), contentType: contentType, keys: keys, format: .form)
        case .multipart:
            guard var form else { throw NotAnObject() }
            form.parts += try encoding.formItems(value, named: name).map { try EncodedPart($0) }
            return EncodedBody(form)
        case .encoded, .given:
            guard let bytes = body.bytes,
                let document = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes),
                var members = document.objectValue
            else { throw NotAnObject() }
            members[name] = try encoding.document(of: value)
            let merged = HTTPBody(try JSONDefaults.encoder.encode(JSONValue.object(members)))
            return EncodedBody(merged, contentType: contentType, keys: keys, format: format, isJSON: true)
        }
    }
}
