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

    let base: BaseURL
    let target: Target
    let page: PageRequest?
    private let fartherScopes: [Scope]
    private let scopes: [Scope]
    private let cursor: Cursor?

    var resolution: Resolution
    var mistakes: [Mistake]

    /// Makes a planner of a client's calls.
    ///
    /// - Parameters:
    ///   - client: what the client declares, laid over each other once for all calls.
    ///   - scopes: what is nearer, farthest first.
    ///   - target: what the placeholders of paths stand for.
    ///   - page: what the request for a page has beyond the plain one.
    ///   - cursor: the cursor that `page` comes from, for errors.
    package init(
        client: ClientScopes,
        scopes: [Scope],
        target: Target = Target(),
        page: PageRequest? = nil,
        cursor: Cursor? = nil
    ) {
        base = client.base
        fartherScopes = client.scopes
        self.scopes = scopes
        self.target = target
        self.cursor = cursor
        self.page = page
        resolution = client.resolution
        for scope in scopes { resolution.lay(scope) }
        if let page { resolution.lay(page) }
        mistakes = base.mistakes + resolution.mistakes
    }

    /// The method.
    var method: HTTPRequest.Method { resolution.method ?? .get }

    /// Makes the plan.
    ///
    /// - Throws: ``APIError/request(_:)`` with every mistake of the declaration, and ``APIError/pagination(_:)`` for a
    ///   page behind a link that is none, or on an origin that is not allowed.
    package consuming func plan() throws(APIError) -> Plan {
        let path = resolvedPath()
        let body = encodedBody()
        let call = FailedCall(method: method, template: path.template, url: nil, cursor: cursor)
        if let link = page?.url, mistakes.isEmpty, base.resolve(link) == nil {
            var call = call
            call.secrets = Plan(decided(path, body, url: base.url, isForeign: false)).secrets
            throw .pagination(PaginationFailure(call: call, reason: .invalidLink(shown(link, call.secrets))))
        }
        let url = url(path: path)
        if mistakes.isEmpty, url == nil {
            mistakes.append(
                Mistake(clause: "\(method)", value: "\"\(path.template)\"", reason: "no URL can be made of it")
            )
        }
        guard mistakes.isEmpty, let url else { throw .request(RequestFailure(call: call, mistakes: mistakes)) }
        let foreign = foreignOrigin(of: url)
        let plan = Plan(decided(path, body, url: url, isForeign: foreign != nil))
        if let foreign, !(plan.settings[Paginated.self]?.allows(foreign) ?? false) {
            // A host is in lower case, whatever it was made of.
            let values = plan.secrets.hidden.longValues
            let origin = Redaction.removing(values + values.map { $0.lowercased() }, from: foreign.description)
            throw .pagination(PaginationFailure(call: plan.failedCall(), reason: .foreignOrigin(origin)))
        }
        return plan
    }

    private func decided(_ path: Destination, _ body: EncodedBody?, url: URL, isForeign: Bool) -> Plan.Decided {
        var secretNames = resolution.secretNames
        secretNames.hide(path.secrets)
        return Plan.Decided(
            method: method,
            template: path.template,
            path: path.encoded,
            url: url,
            headerFields: headerFields(with: body, isForeign: isForeign),
            body: body?.body,
            settings: resolution.settings,
            secretNames: secretNames,
            pathSecrets: path.orderedSecrets,
            bodyKeys: body?.keys ?? [],
            fartherScopes: fartherScopes,
            nearerScopes: scopes,
            cursor: cursor,
            isForeign: isForeign
        )
    }

    /// A link that a server gave, without secrets.
    private func shown(_ link: String, _ secrets: (any CallSecrets)?) -> String {
        Redaction.url(text: link, secretNames: secrets?.hidden ?? resolution.secretNames)
    }

    /// The header fields as they go out: with the body's content type, and to another origin without secrets.
    private func headerFields(with body: EncodedBody?, isForeign: Bool) -> HTTPFields {
        var fields = resolution.headerFields
        if let type = body?.contentType, !fields.contains(.contentType) { fields[.contentType] = type }
        if isForeign { fields.removeAll { $0.name == .host || resolution.secretNames.contains($0.name) } }
        return fields
    }
}
