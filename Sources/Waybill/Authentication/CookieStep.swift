import WaybillSystem

/// The step that puts cookies into each request and keeps those of each response, redirects included.
struct CookieStep: CallStep {
    private let jar: CookieJar
    private let token: Cookies.Token?
    private let site: URL?

    /// Creates the step; nil for a call that declares no jar.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - site: the base URL of the client; nil if all requests count as those to its site.
    init?(_ call: Call, from site: URL? = nil) {
        guard let cookies = call.settings[Cookies.self], let jar = cookies.jar else { return nil }
        self.jar = jar
        token = cookies.token
        self.site = site
    }

    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse {
        let response = try await next(filled(request, of: call))
        guard response.headerFields[.setCookie] != nil else { return response }
        let target = CookieTarget(response.url ?? request.url, request.method, from: site)
        for rejection in jar.store(response.headerFields, from: target, at: call.context.dates.now) {
            call.report(.cookieRejected(rejection), of: response)
        }
        // The jar has the cookies, and the next change writes them too.
        try? await jar.save()
        return response
    }

    /// Returns a request with its cookies.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
    func filled(_ request: CallRequest, of call: Call) -> CallRequest {
        let target = CookieTarget(request.url, request.method, from: site)
        let cookies = jar.cookies(for: target, at: call.context.dates.now)
        guard !cookies.isEmpty else { return request }
        var request = request
        if let field = token?.fieldName, !request.method.isSafe, call.isOwn(request.url), !request.hasLeftOrigin,
            request.headerFields[field] == nil,
            let value = cookies.first(where: { $0.name == token?.cookie })?.value
        {
            request.headerFields.append(HTTPField(name: field, value: Self.decoded(value), isSensitive: true))
            request.secretNames.insert(field.rawName)
        }
        let declared = request.headerFields[values: .cookie]
        let names = declared.flatMap { $0.split(separator: ";") }.map { $0.prefix { $0 != "=" }.trimmed() }
        let added = cookies.filter { !names.contains($0.name) }.map(\.pair)
        request.headerFields.removeAll(named: .cookie)
        let value = (declared + added).joined(separator: "; ")
        request.headerFields.append(HTTPField(name: .cookie, value: value, isSensitive: true))
        return request
    }

    /// Returns the token in the value of a cookie, which servers percent-encode; the value itself if it is not encoded.
    private static func decoded(_ value: String) -> String {
        guard let token = PercentEncoding.decode(value), HTTPField.isValid(value: token) else { return value }
        return token
    }
}
