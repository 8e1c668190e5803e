import WaybillSystem

extension EncodedBody {
    private static let notAnObject = Rejection(
        "a member needs a body that is a JSON object or a form, and this request's body is neither"
    )

    /// The error for a page's value that cannot be set at its target in the body.
    struct RejectedPlace: Error {
        let target: Paginated.Scheme.Target
        let reason: String
    }

    /// Returns the body with a page's values added.
    ///
    /// A built-in scheme sets each value at its path; a custom scheme applies a JSON merge patch.
    ///
    /// - Throws: ``Rejection`` if the body is not JSON, or ``RejectedPlace`` if a value cannot be set at its path.
    func merging(
        _ page: Paginated.Scheme.Request,
        of scheme: Paginated.Scheme?,
        in configuration: ResolvedConfiguration
    ) throws -> EncodedBody {
        guard format != .form, form == nil,
            let document = try? JSONDefaults.decoder.decode(JSONValue.self, from: body.bytes ?? Data())
        else { throw Self.notAnObject }
        var targets = scheme?.bodyTargets ?? []
        if let size = scheme?.size?.target, let path = size.bodyPath,
            !configuration.hasPageSize(at: path, in: document)
        {
            targets.append(size)
        }
        // Built-in schemes do not use a merge patch: it would replace a value that blocks a path, drop nulls within a
        // token, and keep the members of an existing object.
        var merged = document
        switch scheme?.kind {
        case .custom, nil:
            if let patch = page.body {
                guard patch.objectValue == nil || document.objectValue != nil else { throw Self.notAnObject }
                merged = document.applying(mergePatch: patch)
            }
        default: break
        }
        let ordered = targets.sorted { ($0.bodyPath ?? []).precedes($1.bodyPath ?? []) }
        for target in ordered {
            guard let path = target.bodyPath, let value = page.value(at: path) else { continue }
            merged = try merged.setting(value, at: target)
        }
        // Checks every target before the first page is requested, including that of a token that only later pages have.
        for target in ordered { _ = try merged.setting(.null, at: target) }
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
    ///   - path: the path of the member from the root of the body.
    ///   - encoding: the encoding of the body.
    /// - Returns: the body with the member. In JSON, it replaces any value at the same path; in a form, it is appended.
    /// - Throws: ``Rejection`` if the body is neither a form nor a JSON object, or if it cannot contain a value at the
    ///   path; any error thrown while encoding the value.
    func adding(_ value: any Encodable, at path: [EnvelopeKey], by encoding: Encoding) throws -> EncodedBody {
        guard case .key(let name) = path.first else { throw Rejection("a member needs a name; begin with a key") }
        switch format {
        case .form:
            let added = EncodedBody(form: try items(value, name, path, encoding)).body.bytes ?? Data()
            let bytes = body.bytes ?? Data()
            let separator = bytes.isEmpty || added.isEmpty ? Data() : Data("&".utf8)
            var form = EncodedBody(
                HTTPBody(bytes + separator + added),
                contentType: contentType,
                keys: keys,
                format: .form
            )
            form.formEntity = formEntity
            if let entity = formEntity, keys.isEmpty {
                // As in JSON, the member becomes part of the entity only if no keys enclose the entity.
                let member = try encoding.document(of: value)
                form.formEntity = FormEntity { try entity.document().setting(member, at: path[...], below: []) }
            }
            return form
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

extension EncodedBody {
    /// Returns why a secret's path cannot match this body; nil if it leads to a value, or if the value is missing.
    func reasonToMissSecret(at path: [EnvelopeKey]) -> String? {
        if format == .form || form != nil {
            guard case .key(let key)? = path.first, let name = itemNames.first(where: { $0.isItem(of: key) }) else {
                return nil
            }
            return "the body is a form, which has no paths; hide its item by name: Secret(\"\(name)\")"
        }
        guard isJSON, let bytes = body.bytes,
            var value = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes)
        else { return nil }
        for (index, step) in path.enumerated() {
            if value.isNull { return nil }
            switch (step, value) {
            case (.key, .object), (.index, .array): break
            case (.key, _), (.index, _):
                let contents = step.isKey ? "members" : "elements"
                return "\(path[..<index].inBody("is \(value.kindInWords)")), which has no \(contents), so the secret"
                    + " would be shown; correct the path, or declare the clause only for calls whose bodies have it"
            }
            guard let inner = value.value(at: [step]) else { return nil }
            value = inner
        }
        return nil
    }

    private var itemNames: [String] {
        if let form { return form.parts.map(\.name) }
        return EncodedItem.all(in: String(decoding: body.bytes ?? Data(), as: UTF8.self)).map(\.name)
    }
}

extension String {
    /// Whether the name is the key itself, or the key followed by a bracket.
    fileprivate func isItem(of key: String) -> Bool { hasSameBytes(as: key) || hasPrefix(key + "[") }
}

extension Sequence<EnvelopeKey> {
    /// Returns a statement about the value at the path, for error texts.
    fileprivate func inBody(_ predicate: String) -> String {
        contains { _ in true } ? "\(pathDescription) \(predicate) in the body" : "the body \(predicate)"
    }
}

extension JSONValue {
    /// Returns a copy with a page's value set at its target.
    ///
    /// - Throws: ``EncodedBody/RejectedPlace`` if the value cannot be set there.
    fileprivate func setting(_ value: JSONValue, at target: Paginated.Scheme.Target) throws -> JSONValue {
        do {
            return try setting(value, at: (target.bodyPath ?? [])[...], below: [])
        } catch {
            throw EncodedBody.RejectedPlace(target: target, reason: EncodingReason.text(of: error))
        }
    }

    /// Returns a copy with a value set at the given path, creating missing objects and arrays along it.
    ///
    /// - Throws: ``EncodedBody/Rejection`` if the path leads through a value without members or elements, or to an
    ///   index that is negative or past the end of an array.
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
                throw EncodedBody.Rejection("\(outer.inBody("is \(kindInWords)")), which has no members")
            }
            members[key] = try (members[key] ?? .null).setting(value, at: path.dropFirst(), below: inner)
            return .object(members)
        case .index(let index):
            guard var elements = isNull ? [] : arrayValue else {
                throw EncodedBody.Rejection("\(outer.inBody("is \(kindInWords)")), which has no elements")
            }
            guard (0...elements.count).contains(index) else {
                throw EncodedBody.Rejection(
                    "\(outer.inBody("has \(elements.count) elements")); an index is at most that, and not below 0"
                )
            }
            let element = index < elements.count ? elements[index] : .null
            let changed = try element.setting(value, at: path.dropFirst(), below: inner)
            if index < elements.count { elements[index] = changed } else { elements.append(changed) }
            return .array(elements)
        }
    }
}
