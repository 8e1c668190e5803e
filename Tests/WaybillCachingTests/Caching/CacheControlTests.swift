import Testing
@testable import WaybillCaching

@testable import Waybill

@Suite("Parsing Cache-Control")
struct CacheControlTests {
    static func control(_ values: String...) -> CacheControl {
        CacheControl(HTTPFields(values.compactMap { HTTPField(name: .cacheControl, value: $0) }))
    }

    @Test(
        "max-age seconds parse in every spelling, and an invalid value differs from a missing one",
        arguments: [
            ("max-age=60", .valid(60)), ("MAX-AGE=60", .valid(60)), ("max-age=\"60\"", .valid(60)),
            ("max-age= 60 , x", .valid(60)), (" , ,max-age=0,", .valid(0)), ("max-age=007", .valid(7)),
            ("max-age=99999999999999999999999999", .valid(2_147_483_648)),
            ("max-age=2147483649", .valid(2_147_483_648)),
            ("max-age=-1", .invalid), ("max-age=1.5", .invalid), ("max-age=", .invalid), ("max-age", .invalid),
            ("max-age=1e3", .invalid), ("max-age=x", .invalid), ("max-age=\"\"", .invalid), ("max-age=٣", .invalid),
            ("max-age=5, max-age=5", .valid(5)), ("max-age=5, max-age=6", .invalid), ("max-age=5, max-age", .invalid),
            ("no-store", .absent), ("", .absent), ("xmax-age=5", .absent), ("x=\"max-age=5\"", .absent),
            ("x=\"a\\\",max-age=4\", max-age=6", .valid(6)), ("x=\"a,b\",max-age=6", .valid(6)),
            ("foo=bar=baz, max-age=6", .valid(6)), ("x=\"a\"junk, max-age=6", .valid(6)),
        ] as [(String, CacheControl.Seconds)]
    )
    func seconds(value: String, expected: CacheControl.Seconds) {
        #expect(Self.control(value).seconds("max-age") == expected)
    }

    @Test("Several Cache-Control fields combine into one")
    func fields() {
        let control = Self.control("no-cache", "max-age=5")
        #expect(control.containsUnqualified("no-cache"))
        #expect(control.seconds("max-age") == .valid(5))
        #expect(Self.control("max-age=4", "max-age=5").seconds("max-age") == .invalid)
    }

    @Test("Field names in a Cache-Control directive parse with and without quotation marks")
    func fieldNames() {
        let control = Self.control(#"no-cache="Set-Cookie, X-User", private=a"#)
        #expect(control.contains("no-cache"))
        #expect(!control.containsUnqualified("no-cache"))
        #expect(control.fieldNames("no-cache").map(\.canonicalName) == ["set-cookie", "x-user"])
        #expect(control.fieldNames("private").map(\.canonicalName) == ["a"])
        #expect(Self.control(#"no-cache="""#).containsUnqualified("no-cache"))
        #expect(Self.control(#"no-cache="a", no-cache"#).containsUnqualified("no-cache"))
    }

    @Test(
        "Cache-Control with an unclosed quotation mark is malformed",
        arguments: [#"x="a, no-store"#, #"x=""#, #"x="a\"#, #"x="\""#]
    )
    func open(value: String) { #expect(Self.control(value).isMalformed) }

    @Test(
        "Cache-Control with closed quotation marks is not malformed",
        arguments: [#"x="a""#, #"x="\"""#, "x=a\"b", "", "=", "=\"a\"", ",,,"]
    )
    func closed(value: String) { #expect(!Self.control(value).isMalformed) }

    @Test("Pragma: no-cache counts only without Cache-Control")
    func pragma() {
        #expect(CacheControl(HTTPFields(lines: ["Pragma: no-cache"])).contains("no-cache"))
        #expect(!CacheControl(HTTPFields(lines: ["Pragma: x"])).contains("no-cache"))
        #expect(
            !CacheControl(HTTPFields(lines: ["Pragma: no-cache", "Cache-Control: max-age=1"])).contains("no-cache")
        )
    }
}
