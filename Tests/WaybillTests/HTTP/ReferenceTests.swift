import Foundation
import Testing
import Waybill

@Suite("References that servers give (RFC 3986, section 5)")
struct ReferenceTests {
    @Test(
        "A reference is resolved against its base, with its escapes, and invalid characters encoded",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("../g", "http://a/b/g"), ("../../../g", "http://a/g"),
            ("g#s", "http://a/b/c/g"),
            (
                "/x?filter[name]=desk%20lamp&page[cursor]=a%2Bb%3D",
                "http://a/x?filter%5Bname%5D=desk%20lamp&page%5Bcursor%5D=a%2Bb%3D"
            ),
            ("g?a=b c%20d", "http://a/b/c/g?a=b%20c%20d"), ("café%20x", "http://a/b/c/caf%C3%A9%20x"),
            ("g?t=a|b%2Fc", "http://a/b/c/g?t=a%7Cb%2Fc"), ("g?p=100%", "http://a/b/c/g?p=100%25"),
            ("http://[::1]:8080/x?a=[1]", "http://[::1]:8080/x?a=%5B1%5D"), (" g ", "http://a/b/c/g"),
        ]
    )
    func resolved(reference: String, url: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q"))
        #expect(URL.resolved(reference, against: base)?.absoluteString == url)
    }

    @Test(
        "A reference that is not an HTTP URL is rejected",
        arguments: ["", "javascript:alert(1)", "file:///a", "mailto:a@b.example", "#a", "//"]
    )
    func rejected(reference: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q"))
        #expect(URL.resolved(reference, against: base) == nil)
    }

    @Test("An origin with an IPv6 address has brackets")
    func ipv6() {
        #expect(HTTPURL.Origin("http://[::1]:8080/x")?.description == "http://[::1]:8080")
    }
}
