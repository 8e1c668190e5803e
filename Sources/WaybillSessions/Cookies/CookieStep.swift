import Waybill
import WaybillSystem

/// A step that adds cookies to each request, and stores those set by each response, including redirects.
struct CookieStep: CallStep {
    private let jar: CookieJar
    private let token: Cookies.Token?
    private let site: URL?

    /// Creates the step; nil if the clause has no jar.
    ///
    /// - Parameters:
    ///   - cookies: the declared clause.
    ///   - site: the base URL of the client; nil to treat all requests as same-site.
    init?(_ cookies: Cookies, from site: URL? = nil) {
        guard let jar = cookies.jar else { return nil }
        self.jar = jar
        token = cookies.token
        self.site = site
    }

    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse {
        let response = try await next(filled(request, of: call))
        guard response.headerFields[.setCookie] != nil else { return response }
        let target = CookieTarget(response.url ?? request.url, request.method, from: site)
        for rejection in jar.store(response.headerFields, from: target, at: call.context.dates.now) {
            call.report(.noted(rejection), of: response)
        }
        // Ignore errors: the cookies remain in memory, and the next save includes them.
        try? await jar.save()
        return response
    }

    /// Returns the request with its cookies and, if declared, the CSRF token added.
    @inline(never)  // keeps frames small: see Architecture.md
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

    /// Percent-decodes the value of the token's cookie; returns it unchanged if it cannot be decoded to a valid field
    /// value.
    private static func decoded(_ value: String) -> String {
        guard let token = PercentEncoding.decode(value), HTTPField.isValid(value: token) else { return value }
        return token
    }
}

extension Cookies: CallOption {
    /// The clause itself.
    public var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        steps.add(CookieStep(self, from: call.context.client.site), at: .message)
    }

    package func identifying(_ request: CallRequest, of call: Call) -> CallRequest {
        CookieStep(self)?.filled(request, of: call) ?? request
    }
}
