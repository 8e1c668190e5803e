import CallSupport
import Foundation
import Testing
import Waybill
import WaybillSessions
import WaybillTesting

/// Invalid declarations: the error names the clause, the value and the fix, and nothing is sent.
@Suite("Declaration errors")
struct DeclarationErrorTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let reasons: [String]
        let clauses: @Sendable () -> Scope

        init(_ name: String, _ reasons: String..., @Scope.EndpointBuilder clauses: @escaping @Sendable () -> Scope) {
            testDescription = name
            self.reasons = reasons
            self.clauses = clauses
        }
    }

    @Test(arguments: rows)
    func declarationError(_ row: Row) async {
        let stub = StubTransport { _ in .status(204) }
        let shop = Shop(stub)
        let endpoint = Endpoint(
            client: shop.client,
            scopes: row.clauses().flattened,
            target: RequestBuilder.Target(),
            reader: ValueReader<Void>.ignoring
        )
        let error = await failure { try await endpoint.send() }
        guard case .request(let failure) = error else {
            Issue.record("expected a request failure, got \(String(describing: error))")
            return
        }
        #expect(failure.declarationErrors.map(\.description) == row.reasons)
        #expect(stub.requests.isEmpty)
    }

    static let rows = [
        Row(
            "an empty value in a path",
            "GET(\"users/{}\"): a value in the path is empty; a request without it would go to another resource"
        ) { GET("users/\("")") },
        Row(
            "a dot segment from a value",
            "GET(\"users/{}/x\"): the segment \"..\" would change the path; such a value cannot be an id in"
                + " a path"
        ) { GET("users/\("..")/x") },
        Row(
            "a dot segment put together",
            "DELETE(\"users/{}{}\"): the segment \"..\" would change the path; such a value cannot be an id"
                + " in a path"
        ) { DELETE("users/\(".")\(".")") },
        Row(
            "a dot segment in the literal",
            "GET(\"a/../b\"): the segment \"..\" would change the path; write the path to which the request goes"
        ) { GET("a/../b") },
        Row(
            "an encoded dot segment in the literal",
            "GET(\"a/%2e%2E\"): the segment \"..\" would change the path; write the path to which the request goes"
        ) { GET("a/%2e%2E") },
        Row("a query in the path", "GET(\"a?b=1\"): a query does not belong in a path; declare it with Query(…)") {
            GET("a?b=1")
        },
        Row("a fragment in the path", "GET(\"a#b\"): a fragment is never sent; remove it") { GET("a#b") },
        Row("two slashes", "GET(\"a//b\"): the path contains two consecutive slashes; write one") { GET("a//b") },
        Row(
            "a stray percent sign",
            "GET(\"100%\"): a % in a path starts an escape such as %20; write %25 for the character itself"
        ) { GET("100%") },
        Row(
            "no segments in the middle",
            "GET(\"a/{+}/b\"): the list of segments is empty; only a path of nothing else is the root"
        ) { GET("a/\(segments: [String]())/b") },
        Row(
            "no segments at the end, where the request would go to the list",
            "DELETE(\"files/{+}\"): the list of segments is empty; only a path of nothing else is the root"
        ) { DELETE("files/\(segments: [String]())") },
        Row(
            "no segments in front",
            "GET(\"{+}/tags\"): the list of segments is empty; only a path of nothing else is the root"
        ) { GET("\(segments: [String]())/tags") },
        Row(
            "an id outside of an operation",
            "GET(\"users/\"): `\\(.id)` stands for an id, and this operation is called without one"
        ) { GET("users/\(.id)") },
        Row(
            "a method that is not a token",
            "Route(\"GE T\"): a method is a token: letters, digits and marks such as -, without spaces"
        ) { Route("GE T", "a") },
        Row(
            "a line break in a method",
            "Route(\"GET\r\nX: 1\"): a method is a token: letters, digits and marks such as -, without spaces"
        ) { Route("GET\r\nX: 1", "a") },
        Row(
            "a header name with a space",
            "Header(\"X Y\"): the name of a field is a token: letters, digits and marks such as -, without spaces"
        ) {
            GET("a")
            Header("X Y", "1")
        },
        Row(
            "a header field with a number that is not finite",
            "Header(\"X-Y\"): its Double has no text, such as a number that is not finite; pass a string or another value"
        ) {
            GET("a")
            Header("X-Y", Double.nan)
        },
        Row(
            "a line break in a header value, which is not shown",
            "Header(\"X-Y\"): its value contains a line break or another control character, which is invalid in a field"
        ) {
            GET("a")
            Header("X-Y", "secret\r\nZ: 1")
        },
        Row(
            "a credential and a field of its name",
            "Header(\"Authorization\"): the same scope declares a credential for this field, with Authorization; keep one"
                + " of the two"
        ) {
            GET("a")
            Authorization(.bearer("s3cret"))
            Header(.authorization, "Token s3cret")
        },
        Row(
            "an empty token",
            "Authorization(Bearer \"\"): the secret is empty; give the secret once the app has it, or declare"
                + " Authorization.none for calls without one"
        ) {
            GET("a")
            Authorization(.bearer(""))
        },
        Row(
            "a token of white space",
            "Authorization(Bearer \"\"): the secret is empty; give the secret once the app has it, or declare"
                + " Authorization.none for calls without one"
        ) {
            GET("a")
            Authorization(.bearer(" \t"))
        },
        Row(
            "an empty secret of a scheme",
            "Authorization(Token \"\"): the secret is empty; give the secret once the app has it, or declare"
                + " Authorization.none for calls without one"
        ) {
            GET("a")
            Authorization(.scheme("Token", ""))
        },
        Row(
            "an empty key in a field",
            "Authorization(apiKey in X-Key \"\"): the secret is empty; give the secret once the app has it, or declare"
                + " Authorization.none for calls without one"
        ) {
            GET("a")
            Authorization(.apiKey("", header: "X-Key"))
        },
        Row(
            "an empty key in the query",
            "Authorization(apiKey in ?key= \"\"): the secret is empty; give the secret once the app has it, or declare"
                + " Authorization.none for calls without one"
        ) {
            GET("a")
            Authorization(.apiKey("", query: "key"))
        },
        Row(
            "an empty user with an empty password for basic",
            "Authorization(.basic(user: \"\", password: \"\")): the user and the password are empty; give the secret once"
                + " the app has it, or declare Authorization.none for calls without one"
        ) {
            GET("a")
            Authorization(.basic(user: "", password: ""))
        },
        Row(
            "an empty user with an empty password for digest",
            "Authorization(.digest(user: \"\", password: \"\")): the user and the password are empty; give the secret once"
                + " the app has it, or declare Authorization.none for calls without one"
        ) {
            GET("a")
            Authorization(.digest(user: "", password: ""))
        },
        Row(
            "a line break in the user of Digest",
            "Authorization(.digest(user: …, password: …)): the user contains a line break or another control character,"
                + " which is invalid in a field"
        ) {
            GET("a")
            Authorization(.digest(user: "bo\r\n", password: "s3cret"))
        },
        Row(
            "an empty scheme",
            "Authorization(.scheme(\"\", …)): a scheme is a token (RFC 9110, section 11.1): letters, digits and marks such"
                + " as -, without spaces; give one such as Token, and the secret by itself"
        ) {
            GET("a")
            Authorization(.scheme("", "s3cret"))
        },
        Row(
            "a scheme with a space",
            "Authorization(.scheme(\"To ken\", …)): a scheme is a token (RFC 9110, section 11.1): letters, digits and"
                + " marks such as -, without spaces; give one such as Token, and the secret by itself"
        ) {
            GET("a")
            Authorization(.scheme("To ken") { "s3cret" })
        },
        Row(
            "a secret with a line break, which is not shown",
            "Authorization(Bearer …): the secret contains a line break or another control character, which is invalid in"
                + " a field"
        ) {
            GET("a")
            Authorization(.bearer("s3cret\r\nX: 1"))
        },
        Row(
            "a user with a colon, without what may be the password",
            "Authorization(.basic(user: \"bo:…\")): a user name cannot contain a colon (RFC 7617, section 2); give the"
                + " password separately"
        ) {
            GET("a")
            Authorization(.basic(user: "bo:s3cret", password: ""))
        },
        Row(
            "a password with a control character, which is not shown",
            "Authorization(.basic(user: …, password: …)): the user or the password contains a line break or another"
                + " control character, which RFC 7617, section 2, does not allow"
        ) {
            GET("a")
            Authorization(.basic(user: "bo", password: "s3cret\n"))
        },
        Row(
            "a file as a value",
            "Body(\"photo.png\"): the path of a file would be sent, not the file; send it with Body(file: url,"
                + " contentType: \"image/png\")"
        ) {
            POST("a")
            Body(unwrapped: URL(fileURLWithPath: "/tmp/photo.png"))
        },
        Row(
            "bytes as a value",
            "Body(Data): bytes would be sent as text; say what they are: Body(bytes, contentType: \"image/png\")"
        ) {
            POST("a")
            Body(unwrapped: Data([1]))
        },
        Row(
            "form items without text, whose values are not shown under a secret name",
            "Body(form: \"price\", nan): the value cannot be written in a form; give a finite number, a date in the"
                + " years 0 to 9999, or nil",
            "Body(form: \"password\", …): the value cannot be written in a form; give a finite number, a date in the"
                + " years 0 to 9999, or nil"
        ) {
            POST("a")
            Body(form: ["price": Double.nan, "count": 1, "password": Double.infinity])
        },
        Row(
            "an item without text in a list made at run time",
            "Body(form: \"at\", 1e+30 s since 1970): the value cannot be written in a form; give a finite number, a date"
                + " in the years 0 to 9999, or nil"
        ) {
            POST("a")
            Body(form: [Date(timeIntervalSince1970: 1e30)].map { (name: "at", value: $0) })
        },
        Row(
            "a file as the text of a part",
            "Multipart.Part(\"photo\"): its value is the path of a file, which would be sent as text; send the file with"
                + " Multipart.Part(\"photo\", file: url)"
        ) {
            POST("a")
            Multipart { Multipart.Part("photo", URL(fileURLWithPath: "/tmp/photo.png")) }
        },
        Row(
            "an invalid query number",
            "Query(\"x\", nan): the value cannot be written in a query; give a finite number, a date in the "
                + "years 0 to 9999, or nil"
        ) {
            GET("a")
            Query("x", Double.nan)
        },
        Row(
            "a timeout of nothing",
            "Timeout(0 ms): no call can finish in that time; give a positive one, or Timeout.none"
        ) {
            GET("a")
            Timeout(.zero)
        },
        Row(
            "a negative number of redirects",
            "Redirects(-1): the number of redirects cannot be negative; give zero or more, or Redirects(.reject)"
        ) {
            GET("a")
            Redirects(.follow(upTo: -1))
        },
        Row("a setting twice", "Timeout(2 s): the same scope declares it twice; keep one") {
            GET("a")
            Timeout(.seconds(1))
            Timeout(.seconds(2))
        },
        Row("a body on HEAD", "Body: a HEAD request has no body (RFC 9110, section 9.3); leave it out") {
            HEAD("a")
            Body(1)
        },
        Row(
            "a URL on another origin",
            "GET(at: \"https://other.example/a\"): it is on another origin than the client, whose credentials must not"
                + " go there; make a client for that origin; \(proxyAdvice)"
        ) { GET(at: "https://other.example/a") },
        Row(
            "an invalid URL",
            "GET(at: \"ftp://shop.example/a\"): it is not a URL; give an absolute one, or one relative to the client's"
        ) { GET(at: "ftp://shop.example/a") },
        Row(
            "an invalid origin",
            "Paginated(otherOrigins: \"shop\"): an origin is a scheme and a host: https://host, with a port if it is"
                + " not the scheme's"
        ) {
            GET("a")
            Paginated(.link(), otherOrigins: ["shop"])
        },
        Row("a method without a path", "DELETE: it has no path; give one, DELETE(\"\") for the base URL itself") {
            DELETE()
        },
        Row(
            "several declaration errors at once",
            "Header(\"X Y\"): the name of a field is a token: letters, digits and marks such as -, without spaces",
            "GET(\"a//b\"): the path contains two consecutive slashes; write one"
        ) {
            GET("a//b")
            Header("X Y", "1")
        },
        Row(
            "a body that cannot be encoded",
            "Body(Array<Double>): [0]: JSON has no number for Double.nan."
        ) {
            POST("a")
            Body([Double.nan])
        },
        Row(
            "a query of something without keys",
            "Query(Array<Int>): Only an object has names for its values, and an array does not; encode a struct or a dictionary."
        ) {
            GET("a")
            Query([1, 2])
        },
    ]

    @Test(
        "An invalid base URL is an error in every call",
        arguments: [
            ("shop.example", "a base URL has a scheme and a host: https://shop.example"),
            ("ftp://shop.example", "the scheme ftp is not HTTP's; give an http or https URL"),
            (
                "https://u:p@shop.example",
                "a user or a password does not belong here; declare Authorization(.basic(user:password:))"
            ),
            ("https://shop.example?a=1", "a query does not belong here; declare it with Query(…)"),
            ("https://shop.example#a", "a fragment is never sent; remove it"),
        ]
    )
    func baseURL(text: String, reason: String) async throws {
        let client = Client(try #require(URL(string: text)), transport: StubTransport([:]))
        let error = await failure { try await client.get("a", as: Int.self) }
        guard case .request(let failure) = error else {
            Issue.record("expected a request failure, got \(String(describing: error))")
            return
        }
        #expect(failure.declarationErrors.map(\.reason).contains(reason))
        #expect(!failure.description.contains(":p@"))
    }
}
