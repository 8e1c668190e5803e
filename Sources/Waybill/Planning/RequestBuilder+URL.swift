import WaybillSystem

extension RequestBuilder {
    /// Returns the origin of a URL that is not below the client's; nil for the others, which need no second look.
    func foreignOrigin(of url: URL) -> HTTPRequest.Origin? {
        guard page?.url != nil, let other = HTTPRequest.Origin(url), other != base.origin else { return nil }
        return other
    }

    /// The destination of a route.
    enum Destination {
        case path(ResolvedPath)
        case url(String)

        var encoded: String {
            switch self {
            case .path(let path): path.encoded
            case .url(let text): text
            }
        }

        var template: String {
            switch self {
            case .path(let path): path.template
            case .url: "{url}"
            }
        }

        /// The encoded secret values of the path, in their order.
        var orderedSecrets: [String] {
            switch self {
            case .path(let path): path.orderedSecrets
            case .url: []
            }
        }

        /// The values in it that texts do not show.
        var secrets: Set<String> {
            switch self {
            case .path(let path): path.secrets
            case .url: []
            }
        }
    }

    /// Returns the path of the route; its errors are added to the declaration errors.
    mutating func resolvedPath() -> Destination {
        switch configuration.target {
        case .url(let text):
            return .url(text)
        case .path(let path):
            let resolved = ResolvedPath(path.replacing(id: target.id, resource: target.resource))
            for problem in resolved.problems {
                declarationErrors.append(
                    DeclarationError(clause: "\(method)", value: "\"\(resolved.template)\"", reason: problem)
                )
            }
            return .path(resolved)
        case .unchanged, nil:
            if target.resource == nil {
                declarationErrors.append(
                    DeclarationError(
                        clause: "\(method)",
                        value: "",
                        reason: "it has no path; give one, \(method)(\"\") for the base URL itself"
                    )
                )
            }
            return .path(ResolvedPath(target.resource ?? Route.Path(pieces: [])))
        }
    }

    /// Returns the URL of the request; nil if there is a declaration error.
    mutating func url(path: Destination) -> URL? {
        let query = configuration.query
        if let link = page?.url { return pageURL(PathSecrets.restoring(path.orderedSecrets, in: link), query: query) }
        switch path {
        case .path(let path):
            return base.url(path: path.encoded, query: query)
        case .url(let text):
            guard let url = base.resolve(text) else {
                declarationErrors.append(
                    DeclarationError(
                        clause: "\(method)",
                        value: "at: \"\(Redaction.url(text: text, secretNames: configuration.secretNames))\"",
                        reason: "it is not a URL; give an absolute one, or one relative to the client's"
                    )
                )
                return nil
            }
            guard HTTPRequest.Origin(url) == base.origin else {
                declarationErrors.append(
                    DeclarationError(
                        clause: "\(method)",
                        value: "at: \"\(Redaction.url(text: text, secretNames: configuration.secretNames))\"",
                        reason: "it is on another origin than the client, whose credentials must not go there;"
                            + " make a client for that origin"
                    )
                )
                return nil
            }
            return url.appending(query)
        }
    }

    private func isSecret(_ item: QueryItem) -> Bool {
        item.isSecret || configuration.secretNames.contains(item.name)
    }

    private func pageURL(_ link: String, query: [QueryItem]) -> URL? {
        // A link replaces everything except for secrets in the query, which only this client knows.
        guard let url = base.resolve(link), HTTPRequest.Origin(url) == base.origin else { return base.resolve(link) }
        let present = Set((url.query ?? "").split(separator: "&").compactMap { $0.split(separator: "=").first })
        return url.appending(
            query.filter { isSecret($0) && !present.contains(Substring(PercentEncoding.encode($0.name))) }
        )
    }
}
