import CallSupport
import Foundation
import Testing
@testable import WaybillSessions

@testable import Waybill

@Suite("Cookie jars")
struct CookieJarTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func stored(
        _ fields: String...,
        from url: String = "https://shop.example/a/b",
        in jar: CookieJar = CookieJar()
    ) throws -> [CookieJar.Rejection] {
        let fields = fields.map { HTTPField(name: .setCookie, value: $0) }
        return jar.store(HTTPFields(fields), from: try #require(URL(string: url)), at: Self.now)
    }

    private func sent(_ jar: CookieJar, to url: String, after seconds: Double = 0) throws -> String {
        let cookies = jar.cookies(for: try #require(URL(string: url)), at: Self.now.addingTimeInterval(seconds))
        return cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private static func cookie(_ name: String, _ value: String) -> CookieJar.Cookie {
        CookieJar.Cookie(name, value, domain: "shop.example")
    }

    @Test(
        "An app's cookie that would be sent as a different one is rejected, even if modified or decoded",
        arguments: [
            (cookie("k", "x; admin=1"), .separator), (cookie("k", "x;admin=1"), .separator),
            (cookie("k;", "x"), .separator), (cookie("admin=1; k", "x"), .separator), (cookie("k=", "x"), .separator),
            (cookie("a=b", "x"), .separator), (cookie("k ", "x"), .separator), (cookie("\tk", "x"), .separator),
            (cookie("a b", "x"), .separator), (cookie("", "admin=1"), .separator),
            (cookie("k", "x\r\nX-Admin: 1"), .controlCharacter), (cookie("k", "x\r"), .controlCharacter),
            (cookie("k", "x\n"), .controlCharacter), (cookie("k", "x\0"), .controlCharacter),
            (cookie("k\r\n", "x"), .controlCharacter), (cookie("k\0", "x"), .controlCharacter),
            (cookie("k\u{7F}", "x"), .controlCharacter), (cookie("", ""), .empty),
            (cookie("k", String(repeating: "x", count: 4096)), .tooLong),
            (.init("k", "x", domain: "co.uk", isHostOnly: false), .publicSuffix),
            (.init("k", "x", domain: ".Co.UK.", isHostOnly: false), .publicSuffix),
            (.init("k", "x", domain: "example", isHostOnly: false), .publicSuffix),
        ] as [(CookieJar.Cookie, CookieJar.Rejection.Reason)]
    )
    func notInserted(_ cookie: CookieJar.Cookie, reason: CookieJar.Rejection.Reason) throws {
        let jar = CookieJar(publicSuffixes: [".co.uk"])
        #expect(jar.insert(cookie) == CookieJar.Rejection(name: cookie.name, reason: reason))
        let decoded = try JSONDecoder().decode(CookieJar.Cookie.self, from: JSONEncoder().encode(cookie))
        #expect(jar.insert(decoded)?.reason == reason)
        var changed = Self.cookie("k", "x")
        (changed.name, changed.value) = (cookie.name, cookie.value)
        (changed.domain, changed.isHostOnly) = (cookie.domain, cookie.isHostOnly)
        jar.insert(changed)
        #expect(jar.cookies.isEmpty)
        // A server may have set these two, and the app may have stored them.
        let isServers = cookie.name == "a b" || cookie.value == "admin=1"
        #expect(CookieJar([decoded], publicSuffixes: [".co.uk"]).cookies.isEmpty != isServers)
    }

    @Test(
        "An app's cookie that is sent unchanged is stored",
        arguments: [
            cookie("k", ""), cookie("", "x"), cookie("k", "a=b"), cookie("k", "a b"), cookie("k", "{\"a\":1,\"b\":2}"),
            cookie("k", "ü"), .init("k", "x", domain: "co.uk"), .init("k", "x", domain: "b.co.uk", isHostOnly: false),
        ]
    )
    func inserted(_ cookie: CookieJar.Cookie) {
        let jar = CookieJar(publicSuffixes: ["co.uk"])
        #expect(jar.insert(cookie) == nil)
        #expect(jar.cookies == [cookie])
    }

    @Test(
        "A public suffix matches with a leading or trailing dot and in any case",
        arguments: ["co.uk", ".co.uk", "co.uk.", ".CO.uk."]
    )
    func publicSuffix(_ suffix: String) throws {
        let jar = CookieJar(publicSuffixes: [suffix])
        let rejections = try stored("a=b; Domain=co.uk", from: "https://shop.co.uk", in: jar)
        #expect(rejections == [CookieJar.Rejection(name: "a", reason: .publicSuffix)])
        #expect(try stored("a=b; Domain=shop.co.uk", from: "https://shop.co.uk", in: jar).isEmpty)
    }

    @Test("A new jar restores the cookies that servers set in an earlier one")
    func restored() throws {
        let jar = CookieJar()
        _ = try stored("a b=1", "=c=2", "d=x, y", in: jar)
        #expect(CookieJar(jar.cookies).cookies == jar.cookies)
        #expect(jar.cookies.count == 3)
    }

    @Test(
        "A cookie that violates RFC 6265bis is rejected with its name and the rule",
        arguments: [
            ("=", "https://shop.example", "", .empty),
            ("a=\(String(repeating: "x", count: 4096))", "https://shop.example", "", .tooLong),
            ("a=b; Domain=other.example", "https://shop.example", "a", .foreignDomain),
            ("a=b; Domain=op.example", "https://shop.example", "a", .foreignDomain),
            ("a=b; Domain=x.shop.example", "https://shop.example", "a", .foreignDomain),
            ("a=b; Domain=büro.example", "https://shop.example", "a", .foreignDomain),
            ("a=b; Domain=0.0.1", "http://127.0.0.1", "a", .foreignDomain),
            ("a=b; Domain=example", "https://shop.example", "a", .publicSuffix),
            ("a=b; Domain=co.uk", "https://shop.co.uk", "a", .publicSuffix),
            ("a=b; Domain=co.uk.", "https://shop.co.uk.", "a", .publicSuffix),
            ("a=b; Domain=example.", "https://shop.example.", "a", .publicSuffix),
            ("a=b; Secure", "http://shop.example", "a", .insecureConnection),
            ("a=b; SameSite=None", "https://shop.example", "a", .sameSiteNoneWithoutSecure),
            ("__Secure-a=b", "https://shop.example", "__Secure-a", .prefix),
            ("__sEcUrE-a=b", "https://shop.example", "__sEcUrE-a", .prefix),
            ("__Host-a=b; Secure", "https://shop.example", "__Host-a", .prefix),
            ("__Host-a=b; Secure; Path=/x", "https://shop.example", "__Host-a", .prefix),
            ("__Host-a=b; Secure; Path=/; Domain=shop.example", "https://shop.example", "__Host-a", .prefix),
            ("__Host-a=b; Path=/", "https://shop.example", "__Host-a", .prefix),
            ("=__Host-a=b; Secure; Path=/", "https://shop.example", "", .prefix),
        ] as [(String, String, String, CookieJar.Rejection.Reason)]
    )
    func rejected(field: String, url: String, name: String, reason: CookieJar.Rejection.Reason) throws {
        let jar = CookieJar(publicSuffixes: ["co.uk"])
        #expect(try stored(field, from: url, in: jar) == [CookieJar.Rejection(name: name, reason: reason)])
        #expect(jar.cookies.isEmpty)
    }

    @Test("A control character in a cookie rejects it before it can reach a header field")
    func controlCharacter() {
        #expect(throws: CookieJar.Rejection.Reason.controlCharacter) { try SetCookie("a=b\u{0}c") }
        #expect(throws: CookieJar.Rejection.Reason.controlCharacter) { try SetCookie("a=b; Path=/\u{7F}") }
    }

    @Test(
        "A cookie that satisfies the rules is stored",
        arguments: [
            ("__Secure-a=b; Secure", "https://shop.example"), ("__Host-a=b; Secure; Path=/", "https://shop.example"),
            ("a=b; SameSite=None; Secure", "https://shop.example"), ("a=b; Secure", "http://localhost:8000"),
            ("a=b; Secure", "http://127.0.0.1:8000"), ("a=b; Secure", "http://[::1]:8000"),
            ("a=b; Domain=localhost", "http://localhost"), ("a=b; Domain=127.0.0.1", "http://127.0.0.1"),
            ("a=\(String(repeating: "x", count: 4095))", "https://shop.example"),
            ("a=b; Path=/\(String(repeating: "x", count: 1024))", "https://shop.example"),
        ]
    )
    func kept(field: String, url: String) throws {
        let jar = CookieJar()
        #expect(try stored(field, from: url, in: jar) == [])
        #expect(try !sent(jar, to: url).isEmpty)
    }

    @Test(
        "A cookie is sent only to matching hosts, paths, and schemes",
        arguments: [
            ("a=1", "https://shop.example/a/c", true), ("a=1", "https://shop.example/a", true),
            ("a=1", "https://shop.example/", false), ("a=1", "https://x.shop.example/a/b", false),
            ("a=1; Domain=shop.example; Path=/", "https://x.shop.example", true),
            ("a=1; Domain=.SHOP.example; Path=/", "https://shop.EXAMPLE", true),
            ("a=1; Domain=shop.example; Path=/", "https://ashop.example", false),
            ("a=1; Path=/x", "https://shop.example/x", true), ("a=1; Path=/x", "https://shop.example/x/y", true),
            ("a=1; Path=/x", "https://shop.example/xy", false), ("a=1; Path=/x/", "https://shop.example/x", false),
            ("a=1; Path=/X", "https://shop.example/x", false), ("a=1; Path=/", "http://shop.example:81", true),
            ("a=1; Path=/; Secure", "http://shop.example", false),
            ("a=1; Path=/; Secure", "https://shop.example:444", true),
        ]
    )
    func matching(field: String, url: String, isSent: Bool) throws {
        let jar = CookieJar()
        #expect(try stored(field, in: jar) == [])
        #expect(try sent(jar, to: url) == (isSent ? "a=1" : ""))
    }

    @Test("A host name that ends with a digit is not an address and has parent domains")
    func nameWithDigit() throws {
        let jar = CookieJar()
        #expect(try stored("a=1; Domain=prod.dc1; Path=/", from: "https://api.prod.dc1", in: jar) == [])
        #expect(try sent(jar, to: "https://other.prod.dc1") == "a=1")
        let rejection = CookieJar.Rejection(name: "a", reason: .insecureConnection)
        #expect(try stored("a=1; Secure", from: "http://127.prod.dc1", in: jar) == [rejection])
    }

    @Test("A cookie expires by Max-Age, or else by Expires, and after 400 days at the latest")
    func ends() throws {
        let jar = CookieJar()
        let date = "Fri, 15 Jan 2027 08:01:40 GMT"  // a hundred seconds later
        #expect(
            try stored(
                "age=1; Max-Age=10; Expires=\(date); Path=/",
                "date=1; Expires=\(date); Path=/",
                "long=1; Max-Age=99999999999999999999; Path=/",
                "far=1; Expires=Wed, 01 Jan 2100 00:00:00 GMT; Path=/",
                "odd=1; Max-Age=1.5; Path=/",
                "gone=1; Max-Age=0; Path=/",
                "past=1; Max-Age=-1; Path=/",
                in: jar
            ) == []
        )
        #expect(try sent(jar, to: "https://shop.example", after: 9) == "age=1; date=1; long=1; far=1; odd=1")
        #expect(try sent(jar, to: "https://shop.example", after: 10) == "date=1; long=1; far=1; odd=1")
        #expect(try sent(jar, to: "https://shop.example", after: 100) == "long=1; far=1; odd=1")
        #expect(try sent(jar, to: "https://shop.example", after: 400 * 86_400) == "odd=1")
    }

    @Test("An attribute with an invalid value is ignored, and an earlier one of the same name applies")
    func invalidAttributes() throws {
        let jar = CookieJar()
        let date = "Fri, 15 Jan 2027 08:01:40 GMT"  // a hundred seconds later
        #expect(
            try stored("a=1; Expires=\(date); Expires=soon; Path=/", "b=1; Max-Age=10; Max-Age=x; Path=/", in: jar)
                == []
        )
        #expect(try sent(jar, to: "https://shop.example", after: 9) == "a=1; b=1")
        #expect(try sent(jar, to: "https://shop.example", after: 10) == "a=1")
        #expect(try sent(jar, to: "https://shop.example", after: 100) == "")
    }

    @Test("Cookies are sent longest path first and then oldest first, and a changed cookie keeps its position")
    func order() throws {
        let jar = CookieJar()
        for field in ["a=1; Path=/", "b=1; Path=/x", "c=1; Path=/", "d=1; Path=/x/y", "e=1; Path=/x", "a=2; Path=/"] {
            #expect(try stored(field, in: jar) == [])
        }
        #expect(try sent(jar, to: "https://shop.example/x/y") == "d=1; b=1; e=1; a=2; c=1")
        #expect(jar.cookies.map(\.value) == ["2", "1", "1", "1", "1"])
        #expect(try stored("d=; Max-Age=0; Path=/x/y", in: jar) == [])
        #expect(try sent(jar, to: "https://shop.example/x/y") == "b=1; e=1; a=2; c=1")
    }

    @Test("An insecure connection cannot replace or hide a Secure cookie")
    func secureCookiesStay() throws {
        let jar = CookieJar()
        #expect(try stored("a=1; Secure; Path=/x; Domain=shop.example", in: jar) == [])
        let rejection = CookieJar.Rejection(name: "a", reason: .hidesSecureCookie)
        #expect(try stored("a=2; Path=/x", from: "http://shop.example", in: jar) == [rejection])
        #expect(try stored("a=2; Path=/x/y", from: "http://www.shop.example", in: jar) == [rejection])
        #expect(try stored("a=2; Path=/", from: "http://shop.example", in: jar) == [])
        #expect(try sent(jar, to: "https://shop.example/x") == "a=1; a=2")
    }

    @Test("An expired Secure cookie does not block other cookies")
    func endedSecureCookie() throws {
        let jar = CookieJar()
        #expect(try stored("a=1; Secure; Path=/; Max-Age=10", in: jar) == [])
        let fields: HTTPFields = [HTTPField(name: .setCookie, value: "a=2; Path=/")]
        let url = try #require(URL(string: "http://shop.example"))
        #expect(jar.store(fields, from: url, at: Self.now.addingTimeInterval(9)).count == 1)
        #expect(jar.store(fields, from: url, at: Self.now.addingTimeInterval(11)).isEmpty)
    }

    @Test("Beyond 180 cookies of a domain, the least recently used one without Secure is dropped")
    func limitOfDomain() throws {
        let jar = CookieJar()
        #expect(try stored("kept=1; Secure; Path=/", "used=1; Path=/used", "unused=1; Path=/", in: jar) == [])
        for number in 0..<177 { #expect(try stored("n\(number)=1; Secure; Path=/", in: jar) == []) }
        #expect(try sent(jar, to: "https://shop.example/used").contains("used=1"))
        #expect(try sent(jar, to: "http://shop.example/used") == "used=1; unused=1")
        #expect(try sent(jar, to: "http://shop.example/used/x").contains("used=1"))
        jar.insert(CookieJar.Cookie("used", "2", domain: "shop.example", path: "/used"))
        #expect(try stored("more=1; Secure; Path=/", in: jar) == [])
        let names = Set(jar.cookies.map(\.name))
        #expect(names.count == 180)
        #expect(!names.contains("unused"))
        #expect(names.isSuperset(of: ["kept", "used", "more"]))
    }

    @Test("Beyond 3,000 cookies, the least recently used ones are dropped")
    func limitOfAll() throws {
        let jar = CookieJar()
        for number in 0..<3_010 {
            #expect(try stored("a=1", from: "https://h\(number / 100).d\(number).example", in: jar) == [])
        }
        #expect(jar.cookies.count == 3_000)
        #expect(jar.cookies.first?.domain == "h0.d10.example")
    }

    @Test("A jar can be cleared fully or by a condition, and looks up values by name")
    func removal() throws {
        let jar = CookieJar([
            CookieJar.Cookie("a", "1", domain: ".Shop.example"), CookieJar.Cookie("b", "2", domain: "shop.example"),
        ])
        let url = try #require(URL(string: "https://shop.example"))
        #expect(jar.value(of: "a", for: url) == "1")
        #expect(jar.value(of: "A", for: url) == nil)
        jar.remove { $0.name == "a" }
        #expect(jar.cookies.map(\.name) == ["b"])
        jar.removeAll()
        #expect(jar.cookies.isEmpty)
    }

    @Test("No description of a jar or cookie contains the value, but the encoded form does")
    func texts() throws {
        let cookie = CookieJar.Cookie("session", "s3cr3t-value", domain: "shop.example")
        let jar = CookieJar([cookie])
        var dumped = ""
        dump((jar, cookie, Cookies(jar, csrfToken: "c", in: "X-C"), [cookie]), to: &dumped)
        for text in ["\(jar)", "\(cookie)", String(reflecting: cookie), "\(Cookies(jar))", "\([cookie])", dumped] {
            #expect(!text.contains("s3cr3t"))
        }
        #expect("\(cookie)" == "session=‹redacted› for shop.example/")
        #expect("\(jar)" == "CookieJar(1 cookies)")
        let encoded = try JSONEncoder().encode(cookie)
        #expect(try JSONDecoder().decode(CookieJar.Cookie.self, from: encoded) == cookie)
    }
}
