import Foundation
import Testing
import Waybill

@Suite("References that servers give (RFC 3986, section 5)")
struct ReferenceTests {
    @Test(
        "A reference is resolved against its base, with its escapes, and invalid characters encoded",
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
        "A reference that is not an HTTP URL is rejected",
        arguments: ["", " ", "javascript:alert(1)", "file:///a", "mailto:a@b.example", "//", "g:h", "http:g"]
    )
    func rejected(reference: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q"))
        #expect(URL.resolved(reference, against: base) == nil)
    }

    /// The references of RFC 3986, sections 5.4.1 and 5.4.2, that lead to the base's own host.
    static let ofRFC3986 = [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
        ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
        ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
        // A fragment has other characters than a query, and may be empty.
        ("g#a b#c%20ä?/", "http://a/b/c/g#a%20b%23c%20%C3%A4?/"), ("g#", "http://a/b/c/g#"),
        ("#", "http://a/b/c/d;p?q#"),
    ]

    @Test(
        "A relative reference is resolved by RFC 3986, section 5.4, with its fragment or without",
        arguments: ofRFC3986
    )
    func relative(reference: String, url: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q#base"))
        #expect(URL.resolved(reference, against: base, keepsFragment: true)?.absoluteString == url)
        let withoutFragment = String(url.prefix { $0 != "#" })
        #expect(URL.resolved(reference, against: base)?.absoluteString == withoutFragment)
    }

    @Test("An origin with an IPv6 address has brackets")
    func ipv6() {
        #expect(HTTPRequest.Origin("http://[::1]:8080/x")?.description == "http://[::1]:8080")
    }
}
