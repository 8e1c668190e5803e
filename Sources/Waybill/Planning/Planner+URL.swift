import Foundation

extension Planner {
    /// The origin of a URL that is not below the client's; nil for the others, which need no second look.
    func foreignOrigin(of url: URL) -> Origin? {
        guard page?.url != nil, let other = Origin(url), other != base.origin else { return nil }
        return other
    }

    /// Where a route leads.
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

        /// The secret values as they stand in the path, in their order.
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

    /// The path of the route, with what is wrong with it among the mistakes.
    mutating func resolvedPath() -> Destination {
        switch resolution.target {
        case .url(let text):
            return .url(text)
        case .path(let path):
            let resolved = ResolvedPath(path.replacing(id: target.id, resource: target.resource))
            for problem in resolved.problems {
                mistakes.append(
                    Mistake(clause: "\(method)", value: "\"\(resolved.template)\"", reason: problem)
                )
            }
            return .path(resolved)
        case .unchanged, nil:
            if target.resource == nil {
                mistakes.append(
                    Mistake(
                        clause: "\(method)",
                        value: "",
                        reason: "it has no path; give one, \(method)(\"\") for the base URL itself"
                    )
                )
            }
            return .path(ResolvedPath(target.resource ?? RequestPath(pieces: [])))
        }
    }

    /// The URL of the request; nil where there is a mistake.
    mutating func url(path: Destination) -> URL? {
        let query = resolution.query
        if let link = page?.url { return pageURL(PathSecrets.restoring(path.orderedSecrets, in: link), query: query) }
        switch path {
        case .path(let path):
            return base.url(path: path.encoded, query: query)
        case .url(let text):
            guard let url = base.resolve(text) else {
                mistakes.append(
                    Mistake(
                        clause: "\(method)",
                        value: "at: \"\(Redaction.url(text: text, secretNames: resolution.secretNames))\"",
                        reason: "it is not a URL; give an absolute one, or one relative to the client's"
                    )
                )
                return nil
            }
            guard Origin(url) == base.origin else {
                mistakes.append(
                    Mistake(
                        clause: "\(method)",
                        value: "at: \"\(Redaction.url(text: text, secretNames: resolution.secretNames))\"",
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
        item.isSecret || resolution.secretNames.contains(item.name)
    }

    private func pageURL(_ link: String, query: [QueryItem]) -> URL? {
        // A link stands in place of everything but what only this client knows: secrets in the query.
        guard let url = base.resolve(link), Origin(url) == base.origin else { return base.resolve(link) }
        let present = Set((url.query ?? "").split(separator: "&").compactMap { $0.split(separator: "=").first })
        return url.appending(
            query.filter { isSecret($0) && !present.contains(Substring(PercentEncoding.encode($0.name))) }
        )
    }
}
