import WaybillSystem

/// A builder that merges a call's scopes into a plan and collects their errors.
package struct RequestBuilder {
    /// The default target of a call: a resource's operation and path, an id, and the kind of content sent.
    package struct Target: Sendable {
        /// The operation; nil for a custom endpoint.
        package var operation: On.Operation?
        /// The id passed to the operation.
        package var id: OperationID?
        /// The resource's path.
        package var resource: Route.Path?
        /// The kind of content sent by a write that returns the entity; nil for any other operation.
        package var write: WriteOperation?

        package init(
            operation: On.Operation? = nil,
            id: OperationID? = nil,
            resource: Route.Path? = nil,
            write: WriteOperation? = nil
        ) {
            self.operation = operation
            self.id = id
            self.resource = resource
            self.write = write
        }
    }

    let target: Target
    let page: Paginated.Scheme.Request?
    private let client: ClientScopes
    private let scopes: [Scope]
    private let cursor: Cursor?

    /// All scopes, outermost first.
    var allScopes: [Scope] { client.scopes + scopes }

    var base: BaseURL { client.base }

    var randomBits: @Sendable () -> UInt64 { client.randomBits }

    var configuration: ResolvedConfiguration
    var declarationErrors: [Scope.DeclarationError]

    /// The body of a page request before the page's additions.
    var listBody: HTTPBody?

    /// The query items of a page request before the page's additions.
    private let listQuery: [QueryItem]

    /// Creates a builder for a call.
    ///
    /// - Parameters:
    ///   - client: the client's scopes, merged once for all calls.
    ///   - scopes: the inner scopes, outermost first.
    ///   - target: the default target. Its id and resource path also fill placeholders in declared paths.
    ///   - page: the additions to the request that select a page; nil for a call without paging.
    ///   - cursor: the cursor that contains `page`; nil for the first page.
    package init(
        client: ClientScopes,
        scopes: [Scope],
        target: Target = Target(),
        page: Paginated.Scheme.Request? = nil,
        cursor: Cursor? = nil
    ) {
        self.client = client
        self.scopes = scopes
        self.target = target
        self.cursor = cursor
        self.page = page
        configuration = client.configurationOfCall()
        for scope in scopes { configuration.merge(scope) }
        listQuery = page == nil ? [] : configuration.query
        if let page { configuration.merge(page, givesSize: cursor?.size != nil, isFirst: cursor == nil) }
        declarationErrors = client.base.declarationErrors
        if !configuration.declarationErrors.isEmpty { declarationErrors += configuration.declarationErrors }
        if let declarationError = configuration.settings[Decode.self]?.declarationError {
            declarationErrors.append(declarationError)
        }
        if !configuration.query.isEmpty {
            declarationErrors += configuration.replaceID(with: target.id) + configuration.writeQueryJSON()
        }
    }

    /// The method.
    var method: HTTPRequest.Method { configuration.method ?? .get }

    /// Builds the plan.
    ///
    /// - Throws: ``APIError/request(_:)`` with all declaration errors; ``APIError/pagination(_:)`` if the link to the
    ///   page is invalid or points to a disallowed origin.
    package consuming func plan() throws(APIError) -> Call.Plan {
        let path = resolvedPath()
        let body = hasBody ? encodedBody() : nil
        let addition = addition(of: body)
        if let source = configuration.settings[WriteResult.self]?.source,
            let declarationError = target.write?.declarationError(
                returning: source,
                body: body,
                beside: configuration.settings.all.lazy.compactMap { $0 as? any DeferringResult }
                    .first { $0.defersResult }
            )
        {
            declarationErrors.append(declarationError)
        }
        if let link = page?.url, declarationErrors.isEmpty, base.resolve(link) == nil {
            var call = failedCall(path)
            call.secrets = Call.Plan(content(path, body, addition, url: base.url, isForeign: false)).secrets
            throw .pagination(APIError.PaginationFailure(call: call, reason: .invalidLink(shown(link, call.secrets))))
        }
        let url = url(path: path)
        if declarationErrors.isEmpty, url == nil {
            declarationErrors.reject("\(method)", "\"\(path.template)\"", because: "it does not form a valid URL")
        }
        guard declarationErrors.isEmpty, let url else {
            throw .request(APIError.RequestFailure(call: failedCall(path), declarationErrors: declarationErrors))
        }
        let foreign = foreignOrigin(of: url)
        let plan = Call.Plan(content(path, body, addition, url: url, isForeign: foreign != nil))
        if let foreign, !(plan.settings[Paginated.self]?.allows(foreign) ?? false) {
            let origin = Redaction.removing(plan.secrets.collected.longValues, from: foreign.description)
            throw .pagination(APIError.PaginationFailure(call: plan.failedCall(), reason: .foreignOrigin(origin)))
        }
        return plan
    }

    /// Whether to encode a body, which can also reveal errors; false for most requests, which only read.
    private var hasBody: Bool {
        if case .some = configuration.body { return true }
        return page != nil || method == .query || configuration.settings[BodyMembers.self]?.isEmpty == false
    }

    private func failedCall(_ path: ResolvedPath) -> APIError.FailedCall {
        APIError.FailedCall(method: method, template: template(of: path), url: nil, cursor: cursor)
    }

    private func content(
        _ path: ResolvedPath,
        _ body: EncodedBody?,
        _ addition: PlanAddition?,
        url: URL,
        isForeign: Bool
    ) -> Call.Plan.Content {
        var secretNames = configuration.secretNames
        if !path.secrets.isEmpty { secretNames.hide(path.secrets) }
        return Call.Plan.Content(
            method: method,
            template: template(of: path),
            path: path.encoded,
            url: url,
            headerFields: headerFields(with: body, addition, isForeign: isForeign),
            declaresContentType: configuration.headerFields.contains(.contentType),
            body: body?.body,
            form: body?.form,
            listBody: listBody,
            listQuery: listQuery,
            settings: configuration.settings,
            write: target.write,
            id: target.id,
            formEntity: body?.formEntity,
            secretNames: secretNames,
            pathSecrets: path.orderedSecrets,
            bodyKeys: body?.keys ?? [],
            outerScopes: client.scopes,
            innerScopes: scopes,
            cursor: cursor,
            isForeign: isForeign,
            addedFields: addition?.scopes ?? [:],
            sendsContentLater: addition?.sendsContentLater ?? false
        )
    }

    /// Returns all options' changes to the plan; nil without any.
    private mutating func addition(of body: EncodedBody?) -> PlanAddition? {
        var sum: PlanAddition?
        let settings = configuration.settings
        settings.forEachPlanOption { option in
            let draft = PlanDraft(
                method: method,
                body: body?.body,
                declaresBody: configuration.body != nil,
                settings: settings
            )
            guard var addition = option.addition(to: draft) else { return }
            declarationErrors += addition.declarationErrors
            if !addition.headerFields.isEmpty {
                let scope = allScopes.last { $0.settings.contains(type(of: option)) }?.name ?? ""
                for field in addition.headerFields { addition.scopes[field.name] = scope }
            }
            sum = sum.map { $0.joined(with: addition) } ?? addition
        }
        return sum
    }

    /// Returns the key for logs, metrics and stubs: the declared name or the path's template.
    private func template(of path: ResolvedPath) -> String {
        configuration.settings[Call.Name.self]?.name ?? path.template
    }

    /// Returns a link from a server, with secrets redacted.
    private func shown(_ link: String, _ secrets: CallSecrets?) -> String {
        Redaction.url(text: link, secretNames: secrets?.collected ?? configuration.secretNames)
    }

    /// Returns the header fields to send, including the body's content type; for another origin, secret fields and
    /// `Host` are removed.
    private func headerFields(
        with body: EncodedBody?,
        _ addition: PlanAddition?,
        isForeign: Bool
    ) -> HTTPFields {
        var fields = configuration.headerFields
        if let type = body?.contentType {
            if !fields.contains(.contentType) { fields[.contentType] = type }
        } else if body == nil, !configuration.declaresContentTypeForCall, fields.contains(.contentType) {
            // A content type that was declared for all bodies is meaningless without a body (RFC 9110, section 8.3).
            fields.removeAll(named: .contentType)
        }
        if let addition {
            for (name, value) in addition.headerFields { fields[name] = value }
            if addition.hasNoContent { fields.removeAll(named: .contentType) }
        }
        fields.markSensitive { configuration.secretNames.contains($0) }
        if isForeign { fields.removeAll { $0.name == .host || configuration.secretNames.contains($0.name) } }
        return fields
    }
}

extension RequestBuilder {
    /// Returns the origin of a page's URL if it differs from the client's; nil for any other URL.
    func foreignOrigin(of url: URL) -> HTTPRequest.Origin? {
        guard page?.url != nil, let other = HTTPRequest.Origin(url), other != base.origin else { return nil }
        return other
    }

    /// Returns the route's path with its values filled in, and records any declaration errors.
    mutating func resolvedPath() -> ResolvedPath {
        switch configuration.target {
        case .url(let text): return ResolvedPath(url: text)
        case .path(let path):
            let resolved = ResolvedPath(path.replacing(id: target.id, resource: target.resource))
            for problem in resolved.problems {
                declarationErrors.reject("\(method)", "\"\(resolved.template)\"", because: problem)
            }
            return resolved
        case .unchanged, nil:
            if target.resource == nil {
                declarationErrors.reject(
                    "\(method)",
                    because: "it has no path; give one, \(method)(\"\") for the base URL itself"
                )
            }
            return ResolvedPath(target.resource ?? Route.Path(pieces: []))
        }
    }

    /// Returns the URL of the request; nil if it is invalid or not allowed.
    mutating func url(path: ResolvedPath) -> URL? {
        let query = configuration.query
        if let link = page?.url { return pageURL(PathSecrets.restoring(path.orderedSecrets, in: link), query: query) }
        guard case .url(let text) = configuration.target else { return base.url(path: path.encoded, query: query) }
        let url = base.resolve(text).map { configuration.settings.target(of: $0, base: base.url) }
        guard let url, HTTPRequest.Origin(url) == base.origin else {
            declarationErrors.reject(
                "\(method)",
                "at: \"\(Redaction.url(text: text, secretNames: configuration.secretNames))\"",
                because: url == nil
                    ? "it is not a URL; give an absolute one, or one relative to the client's"
                    : "it is on another origin than the client, whose credentials must not go there;"
                        + " make a client for that origin; \(Route.Links.advice)"
            )
            return nil
        }
        return url.replacing(configuration.itemsInURL)?.appending(query)
    }

    private func isSecret(_ item: QueryItem) -> Bool {
        item.isSecret || configuration.secretNames.contains(item.name)
    }

    private func pageURL(_ link: String, query: [QueryItem]) -> URL? {
        guard let url = base.resolve(link).map({ configuration.settings.target(of: $0, base: base.url) }) else {
            return nil
        }
        if HTTPRequest.Origin(url) != base.origin { return url }
        let present = URLQueryNames(of: link)
        let missing = query.filter { !present.contains($0.name) }
        // A link replaces the whole query except for secret items, which only the client has.
        guard let scheme = configuration.settings[Paginated.self]?.scheme, scheme.keepsQuery else {
            return url.appending(missing.filter(isSecret))
        }
        let declared = Set(query.map { BytewiseString($0.name) })
        let size = scheme.first.query.fields.filter { field in
            !declared.contains(BytewiseString(field.name)) && !present.contains(field.name)
        }
        return url.appending(missing + size.map { QueryItem(name: $0.name, value: $0.value) })
    }
}
