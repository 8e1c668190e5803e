import Foundation
import TestSupport
import Testing
import Waybill

@Suite("URI references from servers (RFC 3986, section 5)")
struct ReferenceTests {
    @Test(
        "A reference is resolved against its base; its escapes are kept, and invalid characters encoded",
        arguments: [
            ("//g", "http://g"), ("http://g/x/../y", "http://g/y"), ("http://g/x/./y?a/../b", "http://g/x/y?a/../b"),
            ("//g/x/../y", "http://g/y"),
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
        "A reference that does not resolve to an HTTP URL is rejected",
        arguments: ["", " ", "javascript:alert(1)", "file:///a", "mailto:a@b.example", "//", "g:h", "http:g"]
    )
    func rejected(reference: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q"))
        #expect(URL.resolved(reference, against: base) == nil)
    }

    @Test(
        "A relative reference resolves by RFC 3986, section 5.4, with or without its fragment",
        arguments: References.ofRFC3986
    )
    func relative(reference: String, url: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q#base"))
        #expect(URL.resolved(reference, against: base, keepsFragment: true)?.absoluteString == url)
        let withoutFragment = String(url.prefix { $0 != "#" })
        #expect(URL.resolved(reference, against: base)?.absoluteString == withoutFragment)
    }

    @Test("An origin with an IPv6 address is written with brackets")
    func ipv6() {
        #expect(HTTPRequest.Origin("http://[::1]:8080/x")?.description == "http://[::1]:8080")
    }
}
