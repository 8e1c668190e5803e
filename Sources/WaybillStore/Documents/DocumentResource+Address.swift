import Waybill
import WaybillSystem

extension DocumentResource {
    /// The identity of a collection: its URL, and everything else in the request that selects its items.
    ///
    /// It contains no secrets, tokens or paging parameters, so it is stable across runs.
    package struct Address: Sendable, Hashable {
        /// The URL without its query and fragment; placeholders replace secrets in the path.
        package let url: String

        /// The query items that select list items, sorted by name, with a leading question mark; empty if there are no
        /// such items.
        package let query: String

        /// The header fields that select items and a checksum of the body, one per line.
        package let selection: String

        /// The percent-encoded values in the path, in path order, without secrets.
        package let values: [String]

        /// The declared path, with `{}` in place of each value.
        package let template: String

        /// The user that an option such as `Cached` declares for the responses; nil if it declares none.
        package let user: String?

        /// The header fields that the client declares for all its resources; not part of the identity.
        package let clientFields: String

        /// The concatenation of URL, query and selection.
        package var text: String { url + query + selection }
    }

    /// Returns the identity of the collection.
    ///
    /// - Throws: ``APIError/request(_:)`` with every declaration error of the list or read request.
    package func address() throws(APIError) -> Address {
        let plan = if isSingleton { try read(nil).plan() } else { try list().plan() }
        var url = URLComponents(url: plan.url, resolvingAgainstBaseURL: true) ?? URLComponents()
        let query = plan.selectingQuery(url.percentEncodedQuery ?? "")
        url.percentEncodedPath = PathSecrets.removing(plan.pathSecrets, from: url.percentEncodedPath)
        (url.query, url.fragment, url.user, url.password) = (nil, nil, nil, nil)
        let scopes = context.ownScopes(for: isSingleton ? .read : .list)
        return Address(
            url: url.string ?? "",
            query: query,
            selection: plan.selection(declaredIn: scopes),
            values: context.path.values,
            template: plan.template,
            user: plan.settings.first(\.declaredUser),
            clientFields: plan.fields(declaredIn: plan.outerScopes)
        )
    }

    /// Whether both resources have fixed credentials that differ.
    package func hasOtherCredential(than other: DocumentResource) -> Bool {
        func credentials(_ resource: DocumentResource) -> [Authorization.Credential] {
            resource.context.settings(for: resource.isSingleton ? .read : .list)[Authorization.self]?.credentials ?? []
        }
        return credentials(self).contains { credential in credentials(other).contains(where: credential.differs) }
    }

    /// Returns a copy that checks a condition immediately before each request, and sends the request only if it is
    /// true.
    package func sending(if condition: @escaping @Sendable () -> Bool) -> DocumentResource {
        with { SendingCondition(condition) }
    }
}

extension Call.Plan {
    /// Returns a query without secrets or paging parameters, sorted by name, with a leading question mark; empty if
    /// nothing remains.
    fileprivate func selectingQuery(_ query: String) -> String {
        let scheme = settings[Paginated.self]?.scheme
        var paging = Set(scheme?.first.query.fields.map { BytewiseString($0.name) } ?? [])
        if let size = scheme?.size { paging.insert(BytewiseString(size.name)) }
        if case .query(let name)? = scheme?.kind.positionTarget?.place { paging.insert(BytewiseString(name)) }
        let items = EncodedItem.all(in: query).filter { item in
            !secretNames.contains(item.name, of: item.value ?? "") && !paging.contains(BytewiseString(item.name))
        }
        return items.isEmpty ? "" : "?" + items.sortedByName.encodedText
    }

    /// Returns the header fields that the scopes declare with fixed values, and a checksum of the body.
    fileprivate func selection(declaredIn scopes: [Scope]) -> String {
        fields(declaredIn: scopes) + (cursorBody.map { "\nbody=\($0)" } ?? "")
    }

    /// Returns the scopes' fixed header fields that can select items, one per line.
    fileprivate func fields(declaredIn scopes: [Scope]) -> String {
        var names: Set<String> = []
        for change in scopes.flatMap(\.headerFields) {
            let name = change.name.canonicalName
            if case .add(_, isSecret: false) = change, !Self.describesMessage(name) {
                names.insert(name)
            } else {
                names.remove(name)
            }
        }
        let fields = headerFields.filter { field in
            names.contains(field.name.canonicalName) && !field.isSensitive && !secretNames.contains(field.name)
        }
        return fields.map { "\n\($0.name.canonicalName)=\(PercentEncoding.encode($0.value))" }.sorted().joined()
    }

    /// Whether a field describes the message, its format or its version rather than selecting items.
    private static func describesMessage(_ name: String) -> Bool {
        let prefixes = ["accept", "content-", "if-", "trace", "x-request-", "x-correlation-"]
        let names: Set = [
            "authorization", "baggage", "cache-control", "connection", "cookie", "date", "expect", "from", "host",
            "idempotency-key", "origin", "pragma", "prefer", "priority", "proxy-authorization", "range", "referer",
            "te",
            "user-agent", "via",
        ]
        return names.contains(name) || name.hasSuffix("version") || prefixes.contains { name.hasPrefix($0) }
    }
}

extension Route.Path {
    /// The percent-encoded values in the path, in path order, without secrets.
    fileprivate var values: [String] {
        pieces.flatMap { piece -> [String] in
            switch piece {
            case .value(let text, _): [PercentEncoding.encode(text)]
            case .segments(let segments): segments.map(PercentEncoding.encode)
            case .literal, .secret, .placeholder: []
            }
        }
    }
}
