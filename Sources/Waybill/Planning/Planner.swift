import Foundation

/// Lays the scopes of a call over each other and makes its plan, or says what is wrong with them.
package struct Planner {
    /// Where the call goes when no route says otherwise: an operation of a resource.
    package struct Target: Sendable {
        /// The id that the operation is called with.
        package var id: String?
        /// The resource's path.
        package var resource: RequestPath?

        package init(id: String? = nil, resource: RequestPath? = nil) {
            self.id = id
            self.resource = resource
        }
    }

    private let base: BaseURL
    private let scopes: [Scope]
    private let target: Target
    private let cursor: Cursor?
    private let page: PageRequest?

    private var mistakes: [Mistake] = []
    private var settings = CallSettings()
    private var method: HTTPRequest.Method?
    private var routeTarget: Route.Target?

    /// - Parameters:
    ///   - base: the client's URL.
    ///   - scopes: farthest first.
    ///   - target: what the placeholders of paths stand for.
    ///   - page: what the request for a page has beyond the plain one.
    ///   - cursor: the cursor that `page` comes from, for errors.
    package init(
        base: BaseURL,
        scopes: [Scope],
        target: Target = Target(),
        page: PageRequest? = nil,
        cursor: Cursor? = nil
    ) {
        self.base = base
        self.scopes = scopes
        self.target = target
        self.page = page
        self.cursor = cursor
    }

    /// Makes the plan.
    ///
    /// - Throws: ``APIError/request(_:)`` with every mistake of the declaration, and ``APIError/pagination(_:)`` for a
    ///   page on an origin that is not allowed.
    package consuming func plan() throws(APIError) -> Plan {
        mistakes = base.mistakes
        for scope in scopes {
            mistakes += scope.mistakes
            settings.lay(scope.settings)
            if let route = scope.route {
                method = route.method ?? method
                if case .unchanged = route.target {} else { routeTarget = route.target }
            }
        }
        let path = resolvedPath()
        let queryItems = ScopedQuery(scopes: scopes, page: page).items
        var headerFields = resolvedHeaderFields()
        var body = encodedBody()
        applyPageBody(to: &body)
        if let body, let type = body.contentType, !headerFields.contains(.contentType) {
            headerFields[.contentType] = type
        }
        let method = method ?? .get
        checkBody(body, of: method)
        let template = path.template
        if let link = page?.url, mistakes.isEmpty, base.resolve(link) == nil {
            let call = FailedCall(method: method, template: template, url: nil, cursor: cursor)
            throw .pagination(PaginationFailure(call: call, reason: .invalidLink(link)))
        }
        let url = url(path: path, query: queryItems)
        let secretNames = secretNames
        guard mistakes.isEmpty, let url, let origin = base.origin else {
            throw .request(
                RequestFailure(
                    call: FailedCall(method: method, template: template, url: nil, cursor: cursor),
                    mistakes: mistakes
                )
            )
        }
        let foreign = Origin(url).flatMap { $0 == origin ? nil : $0 }
        if foreign != nil { headerFields.removeAll { secretNames.contains($0.name.canonicalName) } }
        let plan = Plan(
            method: method,
            template: template,
            url: url,
            headerFields: headerFields,
            body: body?.body,
            settings: settings,
            secretNames: secretNames,
            bodyKeys: body?.keys ?? [],
            scopes: scopes,
            cursor: cursor,
            origin: origin
        )
        if let foreign, !(settings[Paginated.self]?.allows(foreign) ?? false) {
            throw .pagination(
                PaginationFailure(call: plan.failedCall(), reason: .foreignOrigin(foreign.description))
            )
        }
        return plan
    }
}

// Path, query and URL.
extension Planner {
    private enum Resolved {
        case path(ResolvedPath)
        case url(String)

        var template: String {
            switch self {
            case .path(let path): path.template
            case .url: "{url}"
            }
        }
    }

    private mutating func resolvedPath() -> Resolved {
        switch routeTarget {
        case .url(let text):
            return .url(text)
        case .path(let path):
            let resolved = ResolvedPath(path.replacing(id: target.id, resource: target.resource))
            for problem in resolved.problems {
                mistakes.append(
                    Mistake(clause: "\(method ?? .get)", value: "\"\(resolved.template)\"", reason: problem)
                )
            }
            return .path(resolved)
        case .unchanged, nil:
            return .path(ResolvedPath(target.resource ?? RequestPath(pieces: [])))
        }
    }

    private mutating func url(path: Resolved, query: [QueryItem]) -> URL? {
        if let link = page?.url { return pageURL(link, path: path, query: query) }
        switch path {
        case .path(let path):
            return base.url(path: path.encoded, query: query)
        case .url(let text):
            guard let url = base.resolve(text) else {
                mistakes.append(
                    Mistake(
                        clause: "\(method ?? .get)",
                        value: "at: \"\(text)\"",
                        reason: "it is not a URL; give an absolute one, or one relative to the client's"
                    )
                )
                return nil
            }
            guard Origin(url) == base.origin else {
                mistakes.append(
                    Mistake(
                        clause: "\(method ?? .get)",
                        value: "at: \"\(text)\"",
                        reason: "it is on another origin than the client, whose credentials must not go there;"
                            + " make a client for that origin"
                    )
                )
                return nil
            }
            return url.appending(query)
        }
    }

    private mutating func pageURL(_ link: String, path: Resolved, query: [QueryItem]) -> URL? {
        // A link stands in place of everything but what only this client knows: secrets in the query.
        guard let url = base.resolve(link), Origin(url) == base.origin else { return base.resolve(link) }
        let present = Set((url.query ?? "").split(separator: "&").compactMap { $0.split(separator: "=").first })
        return url.appending(
            query.filter { $0.isSecret && !present.contains(Substring(PercentEncoding.encode($0.name))) }
        )
    }
}

// Header fields and secrets.
extension Planner {
    private mutating func resolvedHeaderFields() -> HTTPFields {
        var fields = HTTPFields()
        for scope in scopes where !scope.headerFields.isEmpty {
            let names = Set(scope.headerFields.map(\.name))
            fields.removeAll { names.contains($0.name) }
            for case .add(let field, _) in scope.headerFields { fields.append(field) }
        }
        for token in page?.headerFields.fields ?? [] {
            guard let name = HTTPField.Name(token.name), let field = HTTPField(name: name, value: token.value) else {
                mistakes.append(
                    Mistake(
                        clause: "Paginated",
                        value: "\"\(token.name)\"",
                        reason: "the page's token cannot be the value of a header field"
                    )
                )
                continue
            }
            fields.removeAll(named: name)
            fields.append(field)
        }
        return fields
    }

    private var secretNames: Set<String> {
        var names = SecretNames.usual.names
        if let declared = settings[SecretNames.self] { names.formUnion(declared.names) }
        for scope in scopes {
            for case .add(let field, isSecret: true) in scope.headerFields { names.insert(field.name.canonicalName) }
            for case .add(let item) in scope.query where item.isSecret { names.insert(item.name.lowercased()) }
        }
        return names
    }
}

// Body.
extension Planner {
    private mutating func encodedBody() -> EncodedBody? {
        guard let body = scopes.last(where: { $0.body != nil })?.body else { return nil }
        do {
            return try EncodedBody(body, bodies: settings[Bodies.self], encoder: settings[Encode.self]?.encoder)
        } catch {
            mistakes.append(
                Mistake(clause: "Body", value: EncodedBody.typeName(of: body), reason: EncodingReason.text(of: error))
            )
            return nil
        }
    }

    private mutating func applyPageBody(to body: inout EncodedBody?) {
        guard let patch = page?.body else { return }
        do {
            body = try (body ?? EncodedBody.emptyObject).merging(patch)
        } catch {
            mistakes.append(
                Mistake(
                    clause: "Paginated",
                    value: "",
                    reason: "the token of a page goes into a JSON body, and this request's body is none"
                )
            )
        }
    }

    private mutating func checkBody(_ body: EncodedBody?, of method: HTTPRequest.Method) {
        guard body != nil, method == .head || method == .trace || method == .connect else { return }
        mistakes.append(
            Mistake(
                clause: "Body",
                value: "",
                reason: "a \(method) request has no body (RFC 9110, section 9.3); leave it out"
            )
        )
    }
}
