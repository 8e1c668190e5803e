import Foundation
import Testing

@testable import WaybillHTTP

@Suite("Structured fields")
struct StructuredFieldTests {
    typealias Value = StructuredField.Value

    @Test(
        "An RFC 9651 item is parsed, and anything else is rejected",
        arguments: [
            ("?1", .boolean(true)), (" ?0 ", .boolean(false)), ("?1;a;b=2", .boolean(true)), ("0", .integer(0)),
            ("-7", .integer(-7)), ("999999999999999", .integer(999_999_999_999_999)), ("1.5", .decimal(1.5)),
            (#""a\"b\\""#, .string(#"a"b\"#)), ("token/x:y", .token("token/x:y")), (":aGk=:", .bytes(Data("hi".utf8))),
            (":aGk:", .bytes(Data("hi".utf8))), ("@17", .date(17)), ("true", .token("true")),
            (#"%"f%c3%bc %22""#, .displayString("f\u{FC} \"")),
            ("", nil), ("?", nil), ("?2", nil), ("? 1", nil), ("1,2", nil), ("1 2", nil), ("+1", nil),
            ("1.", nil), ("1.2345", nil), ("1000000000000000", nil), (#""a"#, nil), ("\t1", nil), ("1;", nil),
            ("1;A", nil), ("0x5", nil), ("\u{661}", nil), (#"%"%C3%BC""#, nil), (#"%"%c3""#, nil), (#"%"%c""#, nil),
            (#"%"a"#, nil), ("%a", nil), (":a*:", nil), ("@1.5", nil), ("-", nil),
        ] as [(String, Value?)]
    )
    func items(_ text: String, _ value: Value?) {
        #expect(StructuredField.item(text)?.value == value)
    }

    @Test(
        "An RFC 9651 dictionary is parsed with unknown members, and anything else is rejected",
        arguments: [
            ("max-size=5, max-append-size=3;p=1", ["max-size": .integer(5), "max-append-size": .integer(3)]),
            (#"a="x, y", c"#, ["a": .string("x, y"), "c": .boolean(true)]), ("a=1,\ta=2", ["a": .integer(2)]),
            ("", [:]), ("a=1,", nil), ("A=1", nil), ("a=", nil), ("a=1 b=2", nil), ("a=(1", nil), ("a=(1,2)", nil),
            (",", nil),
        ] as [(String, [String: Value]?)]
    )
    func dictionaries(_ text: String, _ values: [String: Value]?) {
        let entries = StructuredField.dictionary(text)?.entries
        let read = entries.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key, $0.member.value) }) }
        #expect(read == values?.mapValues { $0 })
    }

    @Test(
        "A structured field is serialized in canonical form",
        arguments: [
            (
                #"a="x\"y" ,b=(1  "z" t);q;p=?0,c;d=%"%c3%bc", e=:aGk:"#,
                #"a="x\"y", b=(1 "z" t);q;p=?0, c;d=%"%c3%bc", e=:aGk=:"#
            ),
            ("a=1.500, b=-0.25, c=@-7, d=1.0", "a=1.5, b=-0.25, c=@-7, d=1.0"), ("a=1;x=1;y=2;x=3", "a=1;x=3;y=2"),
            ("", ""),
        ]
    )
    func written(_ text: String, _ canonical: String) throws {
        #expect(StructuredField.text(try #require(StructuredField.dictionary(text))) == canonical)
    }

    @Test(
        "A value that no field can represent is not serialized",
        arguments: [
            .integer(1_000_000_000_000_000), .decimal(1e12), .decimal(.nan), .decimal(.infinity), .string("\u{FC}"),
            .string("\n"), .token("a b"), .token(""), .token("1"),
        ] as [Value]
    )
    func unwritable(_ value: Value) {
        #expect(StructuredField.text(StructuredField.Item(value)) == nil)
        #expect(StructuredField.text(StructuredField.Item(.boolean(true), [.init("A", .boolean(true))])) == nil)
    }
}
