import WaybillSystem

extension EncodedBody {
    private static let notAnObject = Rejection(
        "a member needs a body that is a JSON object or a form, and this request's body is neither"
    )

    /// Returns the body with a page's values merged as a JSON merge patch, except that tokens replace existing values.
    ///
    /// - Throws: ``Rejection`` if the body is not JSON.
    func merging(
        _ patch: JSONValue,
        of scheme: Paginated.Scheme?,
        in configuration: ResolvedConfiguration
    ) throws -> EncodedBody {
        guard format != .form, form == nil,
            let document = try? JSONDefaults.decoder.decode(JSONValue.self, from: body.bytes ?? Data())
        else { throw Self.notAnObject }
        var patch = patch
        if let size = scheme?.size?.target.keys, configuration.hasPageSize(at: size, in: document) {
            patch = patch.removing(at: size[...])
        }
        var merged = document.applying(mergePatch: patch)
        for keys in scheme?.bodyPlaces ?? [] {
            // A merge patch would drop nulls within a token, and keep members of an existing object.
            if let value = patch.value(at: keys[...]) { merged = merged.setting(value, at: keys[...]) }
        }
        return EncodedBody(
            HTTPBody(try JSONDefaults.encoder.encode(merged)),
            contentType: contentType,
            keys: keys,
            format: format,
            isJSON: true
        )
    }

    /// Returns the body with a member added.
    ///
    /// - Parameters:
    ///   - value: the value of the member.
    ///   - path: the path of the member, from the top of the body.
    ///   - encoding: the encoding of the body.
    /// - Returns: the body with the member. In JSON, it replaces a value at the same path; in a form, it is appended.
    /// - Throws: ``Rejection`` if the body is neither a form nor a JSON object, or if it cannot contain a value at the
    ///   path; the encoding error of the value.
    func adding(_ value: any Encodable, at path: [EnvelopeKey], by encoding: Encoding) throws -> EncodedBody {
        guard case .key(let name) = path.first else { throw Rejection("a member needs a name; begin with a key") }
        switch format {
        case .form:
            let added = EncodedBody(form: try items(value, name, path, encoding)).body.bytes ?? Data()
            let bytes = body.bytes ?? Data()
            let separator = bytes.isEmpty || added.isEmpty ? Data() : Data("&".utf8)
            return EncodedBody(HTTPBody(bytes + separator + added), contentType: contentType, keys: keys, format: .form)
        case .multipart:
            guard var form else { throw Self.notAnObject }
            form.parts += try items(value, name, path, encoding).map { try EncodedPart($0) }
            return EncodedBody(form)
        case .encoded, .given:
            guard let bytes = body.bytes,
                let document = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes),
                document.objectValue != nil
            else { throw Self.notAnObject }
            let changed = try document.setting(try encoding.document(of: value), at: path[...], below: [])
            let merged = HTTPBody(try JSONDefaults.encoder.encode(changed))
            return EncodedBody(merged, contentType: contentType, keys: keys, format: format, isJSON: true)
        }
    }

    /// Returns the form items of a member.
    private func items(
        _ value: any Encodable,
        _ name: String,
        _ path: [EnvelopeKey],
        _ encoding: Encoding
    ) throws -> [QueryItem] {
        guard path.count > 1 else { return try encoding.items(of: value, named: name) }
        let document = try JSONValue.null.setting(try encoding.document(of: value), at: path[1...], below: path[..<1])
        return try encoding.items(of: document, named: name)
    }
}

extension JSONValue {
    /// Returns a copy with a value set at a path; missing objects and arrays along the path are created.
    ///
    /// - Throws: ``EncodedBody/Rejection`` for a path through a value without members, or past the end of an array.
    fileprivate func setting(
        _ value: JSONValue,
        at path: ArraySlice<EnvelopeKey>,
        below outer: ArraySlice<EnvelopeKey>
    ) throws -> JSONValue {
        let inner = outer + path.prefix(1)
        switch path.first {
        case nil: return value
        case .key(let key):
            guard var members = isNull ? [:] : objectValue else {
                throw EncodedBody.Rejection(
                    "\(outer.pathDescription) is \(kindInWords) in the body, which has no members"
                )
            }
            members[key] = try (members[key] ?? .null).setting(value, at: path.dropFirst(), below: inner)
            return .object(members)
        case .index(let index):
            guard var elements = isNull ? [] : arrayValue else {
                throw EncodedBody.Rejection(
                    "\(outer.pathDescription) is \(kindInWords) in the body, which has no elements"
                )
            }
            guard (0...elements.count).contains(index) else {
                throw EncodedBody.Rejection(
                    "\(outer.pathDescription) has \(elements.count) elements in the body; an index is at most that, and"
                        + " not below 0"
                )
            }
            let element = index < elements.count ? elements[index] : .null
            let changed = try element.setting(value, at: path.dropFirst(), below: inner)
            if index < elements.count { elements[index] = changed } else { elements.append(changed) }
            return .array(elements)
        }
    }
}
