import Waybill

/// The parameters and body members of page requests.
///
/// Those of the first page have example values. Those of later pages have none, because their values come from the
/// previous page.
package struct PageRequests {
    private let scheme: Paginated.Scheme

    package init(_ scheme: Paginated.Scheme) { self.scheme = scheme }

    /// The query items and header fields of page requests.
    var parameters: [DescribedOperation.Parameter] {
        var parameters = scheme.first.query.fields.map { Self.parameter($0, in: .query) }
        parameters += scheme.first.headerFields.fields.map { Self.parameter($0, in: .header) }
        for target in laterTargets {
            let later: DescribedOperation.Parameter
            switch target.place {
            case .query(let name): later = Self.laterParameter(name, in: .query)
            case .field(let name): later = Self.laterParameter(name, in: .header)
            case .body: continue
            }
            if !parameters.contains(where: { $0.isSameParameter(as: later) }) { parameters.append(later) }
        }
        return parameters
    }

    /// Returns the body of a list request, including the members that page requests need.
    ///
    /// - Parameters:
    ///   - body: the body without pagination members; nil for a request without a body.
    ///   - redactor: the redactor for examples.
    ///   - document: the definitions referenced by the body's schema.
    /// - Returns: the body; nil if no request needs one.
    func body(
        _ body: DescribedOperation.Body?,
        _ redactor: ExampleRedactor,
        _ document: JSONSchema.Document
    ) -> DescribedOperation.Body? {
        let later = laterTargets.compactMap(\.bodyPath)
        let elements = scheme.first.elementValues
        guard scheme.first.body != nil || !elements.isEmpty || !later.isEmpty else { return body }
        let page = scheme.first.body ?? [:]
        let added =
            elements.map { (path: $0.path, schema: JSONSchema(sampling: $0.value)) }
            + later.map { (path: $0, schema: Self.laterValue) }
        func adding(to schema: JSONSchema) -> JSONSchema {
            added.reduce(schema) { $0.including($1.schema, at: $1.path[...], document) }
        }
        func example(_ document: JSONValue) -> JSONValue {
            elements.reduce(document) { $0.setting($1.value, at: $1.path) }
        }
        let schema = JSONSchema(sampling: page)
        guard var body else {
            return DescribedOperation.Body(
                mediaType: "application/json",
                schema: adding(to: schema),
                example: example(redactor.redacting(page, schema)),
                isRequired: false
            )
        }
        guard MediaType(body.mediaType).isJSON else { return body }
        body.schema = adding(to: (document.resolving(body.schema) ?? body.schema).merging(schema))
        body.example = body.example.map { own in
            example(page == [:] ? own : own.applying(mergePatch: redactor.redacting(page, schema)))
        }
        return body
    }

    /// The locations of values contained only in requests for later pages.
    private var laterTargets: [Paginated.Scheme.Target] {
        switch scheme.kind {
        case .cursor(_, let target, let previous, _, _, _): [target, previous].compactMap { $0 }
        case .after(_, let target, _, _, _): [target]
        // A page number or offset is already in the first request, a link is a whole URL, and custom schemes do not
        // declare the locations of their values.
        case .pageNumber, .offset, .links, .next, .custom: []
        }
    }

    /// The schema of a value supplied by the server.
    private static let laterValue = JSONSchema(.any, origin: .inferred("the value comes from the previous page"))

    private static func laterParameter(
        _ name: String,
        in place: DescribedOperation.Parameter.Place
    ) -> DescribedOperation.Parameter {
        DescribedOperation.Parameter(name: name, place: place, schema: laterValue, isRequired: false)
    }

    private static func parameter(
        _ field: Paginated.Scheme.Fields.Field,
        in place: DescribedOperation.Parameter.Place
    ) -> DescribedOperation.Parameter {
        let number = place == .query ? Int(field.value).map(JSONValue.integer) : nil
        return DescribedOperation.Parameter(
            name: field.name,
            place: place,
            schema: JSONSchema(number == nil ? .string(format: nil) : .integer(format: nil)),
            isRequired: false,
            example: number ?? .string(field.value)
        )
    }
}

extension JSONSchema {
    /// Returns the schema with an optional value added at the given path.
    fileprivate func including(
        _ value: JSONSchema,
        at path: ArraySlice<EnvelopeKey>,
        _ document: JSONSchema.Document
    ) -> JSONSchema {
        let own = document.resolving(self) ?? self
        let rest = path.dropFirst()
        switch path.first {
        case nil: return own.form == .any ? value : self
        case .key(let key)?:
            guard case .object(var properties) = own.form else {
                guard own.form == .any else { return self }
                return JSONSchema(.object([])).including(value, at: path, document)
            }
            if let index = properties.firstIndex(where: { $0.key == key }) {
                properties[index].schema = properties[index].schema.including(value, at: rest, document)
            } else {
                let member = JSONSchema(.any).including(value, at: rest, document)
                properties.append(JSONSchema.Property(key, member, isRequired: false))
            }
            var changed = own
            changed.form = .object(properties)
            return changed
        case .index?:
            guard case .array(let element, _) = own.form else {
                guard own.form == .any else { return self }
                let element = JSONSchema(.any).including(value, at: rest, document)
                return JSONSchema(.array(element, hasUniqueElements: false))
            }
            var changed = own
            // Other elements of the array can have a different type.
            let changedElement =
                if rest.isEmpty, element.form != .any {
                    value.form == .any ? value : element.union(value)
                } else {
                    element.including(value, at: rest, document)
                }
            changed.form = .array(changedElement, hasUniqueElements: false)
            return changed
        }
    }
}

extension DescribedOperation.Parameter {
    /// Whether both parameters have the same location and name, ignoring the case of header field names.
    func isSameParameter(as other: Self) -> Bool {
        guard place == other.place else { return false }
        return place == .header ? name.lowercased() == other.name.lowercased() : name == other.name
    }
}
