import CallSupport
import Foundation
import Testing
import Waybill

/// The specification of request building: each declaration with its exact request.
@Suite("Request building")
struct RequestTableTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let plan: @Sendable (Shop) throws -> Call.Plan

        init(_ name: String, _ request: String, @Scope.EndpointBuilder _ clauses: @escaping @Sendable () -> Scope) {
            testDescription = name
            self.request = request
            plan = { shop in
                try RequestBuilder(client: shop.client.scopes, scopes: clauses().flattened).plan()
            }
        }
    }

    @Test(arguments: routes + paths + queries + encodables + headers + bodies)
    func request(_ row: Row) throws {
        #expect(try text(of: row.plan(Shop())) == row.request)
    }

    static let routes = [
        Row("GET", "GET https://shop.example/v1/users") { GET("users") },
        Row("HEAD", "HEAD https://shop.example/v1/users") { HEAD("users") },
        Row("POST", "POST https://shop.example/v1/users") { POST("users") },
        Row("PUT", "PUT https://shop.example/v1/users/1") { PUT("users/1") },
        Row("PATCH", "PATCH https://shop.example/v1/users/1") { PATCH("users/1") },
        Row("DELETE", "DELETE https://shop.example/v1/users/1") { DELETE("users/1") },
        Row("OPTIONS", "OPTIONS https://shop.example/v1/users") { OPTIONS("users") },
        Row("QUERY", "QUERY https://shop.example/v1/users\(json){\"name\":\"Bo\"}") {
            QUERY("users")
            Body(["name": "Bo"])
        },
        Row("any other token", "PURGE https://shop.example/v1/cache/a") { Route("PURGE", "cache/a") },
        Row("a route chosen by a condition", "POST https://shop.example/v1/b") {
            true ? Route("POST", "b") : Route("GET", "a")
        },
        Row("a URL that the server gave", "PUT https://shop.example/uploads/7?state=x") {
            PUT(at: "https://shop.example/uploads/7?state=x")
        },
        Row("a reference that the server gave, and a query item", "PUT https://shop.example/up/7?state=x&digest=y") {
            PUT(at: "/up/7?state=x")
            Query("digest", "y")
        },
    ]

    static let paths = [
        Row("slashes in front of combining characters", "GET https://shop.example/v1/%CC%81a/%CC%81b") {
            GET("/\u{301}a/\u{301}b")
        },
        Row("the base URL itself", "GET https://shop.example/v1") { GET("") },
        Row("a slash in front is ignored", "GET https://shop.example/v1/users") { GET("/users") },
        Row("a slash at the end is kept", "GET https://shop.example/v1/users/") { GET("users/") },
        Row("an integer", "GET https://shop.example/v1/users/42/posts") { GET("users/\(42)/posts") },
        Row("a UUID", "GET https://shop.example/v1/u/12345678-1234-1234-1234-123456789abc") {
            GET("u/\(UUID(uuidString: "12345678-1234-1234-1234-123456789abc") ?? UUID())")
        },
        Row("a value is one segment whatever is in it", "GET https://shop.example/v1/users/a%2F..%2Fb%3Fc%23d%25/x") {
            GET("users/\("a/../b?c#d%")/x")
        },
        Row("spaces and letters beyond ASCII", "GET https://shop.example/v1/users/J%C3%BCrgen%20M") {
            GET("users/\("Jürgen M")")
        },
        Row("a part of a segment", "GET https://shop.example/v1/users/7.json") { GET("users/\(7).json") },
        Row("several values in a segment", "GET https://shop.example/v1/from-1-to-2") { GET("from-\(1)-to-\(2)") },
        Row("several segments", "GET https://shop.example/v1/repos/library/a%2Fb/tags") {
            GET("repos/\(segments: ["library", "a/b"])/tags")
        },
        Row("no segments, the root", "GET https://shop.example/v1") { GET("\(segments: [String]())") },
        Row("no segments in a path of its own", "GET https://shop.example/v1") { GET(Route.Path(segments: [])) },
        Row("segments known only at run time", "GET https://shop.example/v1/a/b%20c") {
            GET(Route.Path(segments: ["a", "b c"]))
        },
        Row("escapes of the literal stay", "GET https://shop.example/v1/a%20b/c%2Fd") { GET("a%20b/c%2Fd") },
        Row("the literal is encoded where it must be", "GET https://shop.example/v1/caf%C3%A9%20x") { GET("café x") },
        Row("dots that are part of a name", "GET https://shop.example/v1/a..b/.c/%2E%2E.") { GET("a..b/.c/%2E%2E.") },
        Row("an encoded percent sign cannot become a dot", "GET https://shop.example/v1/%252e%252e") {
            GET("\("%2e%2e")")
        },
    ]

    static let two = Int.random(in: 2...2)

    enum Sort: String, Sendable { case newest, byPrice = "by price" }

    static let date = Date(timeIntervalSince1970: 1_777_636_800.25)

    static let queries = [
        Row("JSON", "GET https://shop.example/v1/p?filters=%7B%22name%22%3A%5B%22c2%22%2C%22%26%22%5D%7D") {
            GET("p")
            Query("filters", json: ["name": ["c2", "&"]])
        },
        Row(
            "JSON by the encoder in scope, and nothing for nil",
            "GET https://shop.example/v1/p?f=%7B%22last_seen%22%3A1777636800%2C%22user_id%22%3A%225%22%7D"
        ) {
            GET("p")
            Query("f", json: Seen())
            Query("g", json: Seen?.none)
            Encode(keys: .convertToSnakeCase, dates: .secondsSince1970, int64: .convertToString)
        },
        Row("a string", "GET https://shop.example/v1/s?q=desk%20lamp") {
            GET("s"); Query("q", "desk lamp")
        },
        Row("nothing is read twice: plus, ampersand, equals", "GET https://shop.example/v1/s?a%26b=1%2B1%3D2%26") {
            GET("s")
            Query("a&b", "1+1=2&")
        },
        Row("numbers and booleans", "GET https://shop.example/v1/s?i=-7&d=0.1&e=1e300&b=true&f=false") {
            GET("s")
            Query("i", -7)
            Query("d", 0.1)
            Query("e", 1e300)
            Query("b", true)
            Query("f", false)
        },
        Row("a decimal", "GET https://shop.example/v1/s?p=19.99") {
            GET("s")
            Query("p", Decimal(string: "19.99"))
        },
        Row("a name without a value", "GET https://shop.example/v1/s?draft&x=1") {
            GET("s")
            Query("draft")
            Query("x", 1)
        },
        Row("an empty value", "GET https://shop.example/v1/s?q=") {
            GET("s"); Query("q", "")
        },
        Row("nil vanishes", "GET https://shop.example/v1/s") {
            GET("s")
            Query("a", nil as String?)
            Query("b", nil as Int?)
            Query("c", nil as Sort?)
            Query("d", nil as [String]?)
            Query("e", nil as Date?, as: .day)
        },
        Row("an enum's raw value", "GET https://shop.example/v1/s?sort=by%20price") {
            GET("s")
            Query("sort", Sort.byPrice)
        },
        Row("an optional enum", "GET https://shop.example/v1/s?sort=newest") {
            GET("s")
            Query("sort", Sort?.some(.newest))
        },
        Row("a date as ISO 8601", "GET https://shop.example/v1/s?at=2026-05-01T12%3A00%3A00.250Z") {
            GET("s")
            Query("at", date)
        },
        Row("dates in other forms", "GET https://shop.example/v1/s?a=2026-05-01&b=1777636800&c=1777636800250") {
            GET("s")
            Query("a", date, as: .day)
            Query("b", date, as: .secondsSince1970)
            Query("c", date, as: .millisecondsSince1970)
        },
        Row("an array, the name repeated", "GET https://shop.example/v1/s?t=a&t=b") {
            GET("s")
            Query("t", ["a", "b"])
        },
        Row("an array, comma separated", "GET https://shop.example/v1/s?t=a,b%2Cc") {
            GET("s")
            Query("t", ["a", "b,c"], as: .commaSeparated)
        },
        Row("an array, brackets", "GET https://shop.example/v1/s?t%5B%5D=1&t%5B%5D=2") {
            GET("s")
            Query("t", [1, 2], as: .brackets)
        },
        Row("an array, indexed", "GET https://shop.example/v1/s?t%5B0%5D=1&t%5B1%5D=2") {
            GET("s")
            Query("t", [1, 2], as: .indexed)
        },
        Row("an array of enums", "GET https://shop.example/v1/s?t=newest,by%20price") {
            GET("s")
            Query("t", [Sort.newest, .byPrice], as: .commaSeparated)
        },
        Row("an empty array", "GET https://shop.example/v1/s") {
            GET("s")
            Query("t", [String](), as: .commaSeparated)
        },
        Row("the same name adds up in a scope, in order", "GET https://shop.example/v1/s?b=1&a=2&b=3") {
            GET("s")
            Query("b", 1)
            Query("a", 2)
            Query("b", 3)
        },
        Row("if, if let, switch and for", "GET https://shop.example/v1/s?some=1&two=2&n=0&n=1") {
            GET("s")
            if let value = Int?.some(1) { Query("some", value) }
            if false as Bool { Query("never", 1) }
            switch two {
            case 1: Query("one", 1)
            case 2: Query("two", 2)
            default: Query("other", 0)
            }
            for number in 0..<2 { Query("n", number) }
        },
    ]

    struct Filter: Encodable, Sendable {
        var text = "a b"
        var price = Range(min: 3, max: nil)
        var tags = ["x", "y"]
        var since = date
        var missing: String?
        struct Range: Encodable, Sendable { var min: Int?, max: Int? }
    }

    static let encodables = [
        Row(
            "an Encodable, flattened in the order of its fields",
            "GET https://shop.example/v1/s?text=a%20b&price%5Bmin%5D=3&tags=x&tags=y&since=2026-05-01T12%3A00%3A00.250Z"
        ) {
            GET("s")
            Query(Filter())
        },
        Row(
            "an Encodable with arrays and dates written otherwise",
            "GET https://shop.example/v1/s?text=a%20b&price%5Bmin%5D=3&tags=x,y&since=1777636800"
        ) {
            GET("s")
            Query(Filter(), arrays: .commaSeparated, dates: .secondsSince1970)
        },
    ]

    enum Priority: String, Sendable { case high }

    static let headers = [
        Row("header fields in order", "GET https://shop.example/v1/s\nX-B: 1\nX-A: 2\nX-B: 3") {
            GET("s")
            Header("X-B", "1")
            Header("X-A", 2)
            Header("X-B", "3")
        },
        Row(
            "header fields with a UUID, an HTTP date, a raw value and a number",
            """
            GET https://shop.example/v1/s
            X-Id: 0f6b1c9e-0000-4000-8000-000000000001
            Date: Sun, 06 Nov 1994 08:49:37 GMT
            X-Priority: high
            X-Ratio: 0.5
            """
        ) {
            GET("s")
            Header("X-Id", UUID(uuidString: "0F6B1C9E-0000-4000-8000-000000000001"))
            Header("Date", Date(timeIntervalSince1970: 784_111_777))
            Header("X-Priority", Priority.high)
            Header("X-Ratio", 0.5)
            Header("X-None", Priority?.none)
        },
        Row("nil vanishes", "GET https://shop.example/v1/s") {
            GET("s"); Header(.ifMatch, nil)
        },
        Row("a value is trimmed", "GET https://shop.example/v1/s\nX-A: b c") {
            GET("s"); Header("X-A", "  b c\t")
        },
        Row("the default Accept is replaced", "GET https://shop.example/v1/s\nAccept: text/csv") {
            GET("s")
            Header(.accept, "text/csv")
        },
    ]

    struct Draft: Encodable, Sendable {
        var name = "Lamp"
        var note: String?
        var url = URL(string: "https://a.example/b")
    }

    static let json = "\nContent-Type: application/json\n"

    static let bodies = [
        Row(
            "JSON, keys sorted",
            "POST https://shop.example/v1/p\(json){\"name\":\"Lamp\",\"url\":\"https://a.example/b\"}"
        ) {
            POST("p")
            Body(Draft())
        },
        Row("JSON under keys", "POST https://shop.example/v1/p\(json){\"data\":{\"p\":[1,2]}}") {
            POST("p")
            Body([1, 2], under: "data", "p")
        },
        Row(
            "nil as null, when asked",
            "POST https://shop.example/v1/p\(json){\"name\":\"Lamp\",\"note\":null,\"url\":\"https://a.example/b\"}"
        ) {
            POST("p")
            Body(Draft())
            Body.Format(nils: .null)
        },
        Row("keys around every body", "POST https://shop.example/v1/p\(json){\"item\":3}") {
            POST("p")
            Body(3)
            Body.Format(item: "item", list: "items")
        },
        Row("another key around lists", "POST https://shop.example/v1/p\(json){\"items\":[3]}") {
            POST("p")
            Body([3])
            Body.Format(item: "item", list: "items")
        },
        Row("a body that stays unwrapped", "POST https://shop.example/v1/p\(json)3") {
            POST("p")
            Body(unwrapped: 3)
            Body.Format(under: "item")
        },
        Row("a date in a body", "POST https://shop.example/v1/p\(json)[\"2026-05-01T12:00:00.250Z\"]") {
            POST("p")
            Body([date])
        },
        Row("another encoder", "POST https://shop.example/v1/p\(json)[1777636800.25]") {
            POST("p")
            Body([date])
            Encode(dates: .secondsSince1970)
        },
        Row(
            "a form",
            "POST https://shop.example/v1/p\nContent-Type: application/x-www-form-urlencoded\ngrant=pass+word&b=1%2B1"
        ) {
            POST("p")
            Body(form: ["grant": "pass word", "b": "1+1"])
        },
        Row(
            "an Encodable as a form",
            "POST https://shop.example/v1/p\nContent-Type: application/x-www-form-urlencoded\nmin=3"
        ) {
            POST("p")
            Body(formEncoding: Filter.Range(min: 3, max: nil))
        },
        Row(
            "every body as a form",
            "POST https://shop.example/v1/p\nContent-Type: application/x-www-form-urlencoded\nmin=3"
        ) {
            POST("p")
            Body(Filter.Range(min: 3, max: nil))
            Body.Format(as: .form)
        },
        Row("bytes", "POST https://shop.example/v1/p\nContent-Type: text/csv\na,b") {
            POST("p")
            Body(Data("a,b".utf8), contentType: "text/csv")
        },
        Row("a declared content type wins", "POST https://shop.example/v1/p\nContent-Type: application/hal+json\n1") {
            POST("p")
            Body(1)
            Header(.contentType, "application/hal+json")
        },
    ]

    private struct Seen: Encodable, Sendable {
        var lastSeen = Date(timeIntervalSince1970: 1_777_636_800)
        var userId: Int64 = 5
    }
}
