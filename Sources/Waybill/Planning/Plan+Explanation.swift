import WaybillSystem

extension Call.Plan {
    /// A line-by-line summary of the call, with the scope that declares each part.
    ///
    /// ```text
    /// GET products/search                                endpoint
    ///   https://shop.example/products/search?q=lamp
    ///   Query q: lamp                                    endpoint
    ///   Header Accept: application/json                  Waybill
    ///   Envelope: results.items                          endpoint, before client: data
    ///   Authorization: Bearer                            client
    /// ```
    public var explanation: String {
        var rows: [(text: String, scope: String)] = []
        let routes = scopes.filter { $0.route != nil }
        rows.append(("\(method) \(template)", routes.last?.name ?? "default"))
        rows.append(("  \(shownURL)", ""))
        for (item, scope) in shownQuery { rows.append(("  Query \(item)", scope)) }
        for (field, scope) in shownHeaderFields { rows.append(("  Header \(field)", scope)) }
        for scope in scopes where scope.body != nil { rows.append(("  Body: \(bodySummary)", scope.name)) }
        for part in form?.parts ?? [] { rows.append(("    Part \(part.summary)", "")) }
        rows += settingRows
        if let cursor { rows.append(("  Page \(cursor.pageNumber): \(cursor.scheme)", "cursor")) }
        let width = min(rows.filter { !$0.scope.isEmpty }.map(\.text.count).max() ?? 0, 60)
        return rows.map { row in
            row.scope.isEmpty
                ? row.text
                : row.text + String(repeating: " ", count: max(width - row.text.count, 0) + 2) + row.scope
        }.joined(separator: "\n")
    }

    private var bodySummary: String {
        let type = headerFields[.contentType] ?? "no content type"
        return body?.length.map { "\($0) bytes of \(type)" } ?? "a stream of \(type)"
    }

    private var shownQuery: [(String, String)] {
        let items = EncodedItem.all(in: url.query ?? "")
        let shown = EncodedItem.all(in: Redaction.form(items.encodedText, secretNames: secrets.collected))
        return zip(items, shown).map { item, shown in
            let scope = scopes.last { $0.query.contains { PercentEncoding.encode($0.name) == item.encodedName } }
            let text = shown.name + (shown.value.map { ": " + $0 } ?? "")
            return (text, scope?.name ?? (cursor == nil ? "URL" : "cursor"))
        }
    }

    private var shownHeaderFields: [(String, String)] {
        let hidden = secrets.collected
        return headerFields.map { field in
            let shown = Redaction.value(of: field, secretNames: hidden)
            if field.name == .contentType, !declaresContentType { return ("\(field.name): \(shown)", "body") }
            let scope = scopes.last { $0.headerFields.contains { $0.name == field.name } }
            return ("\(field.name): \(shown)", scope?.name ?? addedFields[field.name] ?? "cursor")
        }
    }

    private var settingRows: [(text: String, scope: String)] {
        var types: [String] = []
        var declared: [String: [(summary: String, scope: String)]] = [:]
        for scope in scopes {
            for setting in scope.settings.all {
                let type = type(of: setting).clauseName
                if declared[type] == nil { types.append(type) }
                declared[type, default: []].append((setting.summary, scope.name))
            }
        }
        return types.compactMap { type in
            guard var all = declared[type] else { return nil }
            // A header field can override a credential, so the credentials in effect may differ from the declared ones.
            if type == Authorization.clauseName, let held = settings[Authorization.self]?.summary,
                all.last?.summary != held
            {
                all.append((held, "a header field"))
            }
            guard let nearest = all.last else { return nil }
            let before = all.dropLast().reversed().map { ", before \($0.scope): \($0.summary)" }.joined()
            return ("  \(type): \(nearest.summary)", nearest.scope + before)
        }
    }
}
