import Testing

@testable import WaybillHTTP

@Suite("Structured fields")
struct StructuredFieldTests {
    @Test(
        "An item of RFC 9651 is read, and anything else is rejected",
        arguments: [
            ("?1", .boolean(true)), (" ?0 ", .boolean(false)), ("?1;a;b=2", .boolean(true)), ("0", .integer(0)),
            ("-7", .integer(-7)), ("999999999999999", .integer(999_999_999_999_999)), ("1.5", .other),
            (#""a\"b""#, .other), ("token/x:y", .other), (":aGk=:", .other), ("@17", .other),
            ("", nil), ("?", nil), ("?2", nil), ("? 1", nil), ("true", .other), ("1,2", nil), ("1 2", nil), ("+1", nil),
            ("1.", nil), ("1.2345", nil), ("1000000000000000", nil), (#""a"#, nil), ("\t1", nil), ("1;", nil),
            ("1;A", nil), ("0x5", nil), ("١", nil),
        ] as [(String, StructuredField.Item?)]
    )
    func items(_ text: String, _ item: StructuredField.Item?) {
        #expect(StructuredField.item(text) == item)
    }

    @Test(
        "A dictionary of RFC 9651 is read with unknown members, and anything else is rejected",
        arguments: [
            ("max-size=5, max-append-size=3;p=1", ["max-size": .integer(5), "max-append-size": .integer(3)]),
            (#"a="x, y",b=(1 "z" t);q, c"#, ["a": .other, "b": .other, "c": .boolean(true)]),
            ("a=1,\ta=2", ["a": .integer(2)]), ("", [:]),
            ("a=1,", nil), ("A=1", nil), ("a=", nil), ("a=1 b=2", nil), ("a=(1", nil), ("a=(1,2)", nil), (",", nil),
        ] as [(String, [String: StructuredField.Item]?)]
    )
    func dictionaries(_ text: String, _ members: [String: StructuredField.Item]?) {
        #expect(StructuredField.dictionary(text) == members)
    }
}
