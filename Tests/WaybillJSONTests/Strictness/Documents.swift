/// Values that a decoder must accept or reject, wherever they appear in a document.
///
/// Each is a document by itself, and remains valid or invalid inside other documents.
enum Documents {
    static let accepted: [[UInt8]] = [
        "null", "true", "false", "0", "-0", "1", "-1", "10", "1234567890", "0.0", "-0.0", "1.5", "0.001", "1e0", "1E0",
        "1e5",
        "1e+5", "1E-5", "0e0", "0e+00", "1.25e-3", "-1.25E+10", "1e05", "100000000000000000000000", "1e400", "1e-400",
        #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9""#, #""\u00E9""#, #""\uD83D\uDE00""#,
        #""\ud83d\ude00""#, #""\uFFFE\uFFFF""#, "\"\u{7F}\"", "\"é\u{800}\u{FFFF}😀\u{10FFFF}\"", "\"\u{2028}\u{2029}\"",
        "\"\u{FEFF}\"", "\"\u{D7FF}\u{E000}\"", #""// no comment""#, #""[1,]""#, #""'""#, #""\\\\""#, #""\\\"""#,
        #""\\u""#,
        "[]", "{}", "[[]]", "[{}]", #"{"a":{}}"#, #"{"":""}"#, "[1,2]", "[null,true,false]", #"{"a":1,"b":2}"#,
        #"{"a":1,"a":2}"#, "[[[[[[[[[]]]]]]]]]", " 1 ", "\t1\t", "\n1\n", "\r1\r", "[ ]", "{ }", "[ 1 , 2 ]",
        "{ \"a\" : 1 , \"b\" : 2 }", "\r\n[\r\n]\r\n", "{\t\"a\"\n:\r1\t}", #"{"\u0061":1}"#, #"{"\"\\":1}"#,
        #"{"é😀":1}"#,
        #"{"a":[],"b":{},"c":null,"d":"x","e":1}"#, #"["a",1,null,{},[]]"#,
    ].map { Array($0.utf8) }

    static let rejected: [String: [[UInt8]]] = [
        "numbers": [
            "01", "-01", "00", "-00", "0123", "1.", "-1.", "0.", "1.e5", ".5", "-.5", ".", "-", "--1", "+1", "+", "1e",
            "1E",
            "1e+", "1e-", "1e5.5", "1e1e1", "1.2.3", "1..2", "0x1", "0X1F", "0b1", "0o7", "1_000", "1f", "1d", "1L",
            "NaN",
            "nan", "Infinity", "-Infinity", "inf", "-inf", "- 1", "1 000", "1e 5", "1 .5", "1. 5", "٣", "１", "½", "-a",
            "1a", "1e+-5", "e5", "1-", "1+", "1-2", "1+2", "0-", "$1", "1%", "1.0.", "0e", "0.e1", "-0.", "-e5", "0 1",
        ].map(bytes),
        "literals": [
            "n", "nu", "nul", "t", "tr", "tru", "f", "fa", "fal", "fals", "Null", "NULL", "True", "TRUE", "False",
            "FALSE",
            "nULL", "truE", "nulll", "truee", "falsee", "truefalse", "null1", "nullnull", "nil", "none", "None",
            "undefined",
            "yes", "no", "on", "off", "null\0", "tr ue", "t\\u0072ue", "a", "abc", "NULl", "fALSE", "nul\u{1}",
        ].map(bytes),
        "arrays": [
            "[", "]", "[1", "[1,", "[,", "[,]", "[1,]", "[,1]", "[1,,2]", "[1,2,]", "[1 2]", "[1;2]", "[1:2]", "[1}",
            "[}",
            "[1]]", "[[]", "[]]", "[[1]", "[1][2]", "[1]1", "[\"a\" \"b\"]", "[\"a\",]", "[true false]", "[1,\n,2]",
            "[...]",
            "[a]", "[null,]", "[{},]", "[[],]", "[1,2", "[\"a\":1]", "(1)", "[1,2)", "<1>", "[-]", "[\"", "[1,\"]",
        ].map(bytes),
        "objects": [
            "{", "}", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, #"{"a":1,}"#, #"{"a":}"#, #"{"a"}"#, #"{"a",}"#,
            #"{"a","b"}"#, #"{"a" 1}"#, #"{"a"=1}"#, #"{"a"=>1}"#, #"{"a"::1}"#, #"{"a":1 "b":2}"#, #"{"a":1;"b":2}"#,
            #"{"a":1,,"b":2}"#, #"{,"a":1}"#, "{,}", "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{true:1}", "{[]:1}",
            "{{}:1}",
            "{\"a\":1]", "{]", "{}}", "{\"a\":1}}", "{\"a\":{}", "{\"a\":1}{\"b\":2}", "{\"a\":1},", "{\"a\":1,2}",
            "{:1}",
            "{\"a\":1:2}", "{\"a\":1,\"b\"}", "{\"a\":1,\"b\":}", "{\"a\":1,b:2}", "{\"a", "{\"", "{\"a\\\":1}",
            "{$a:1}",
            "{\"a\":a}", "{-1:1}", "{.a:1}", "{\"a\":undefined}", "{\"a\" \"b\"}", "{\"a\"\"b\":1}",
            "{\"a\":\"b\"\"c\"}",
        ].map(bytes),
        "texts around": [
            "", " ", "\n\t\r ", "1 2", "1,", ",1", "null null", "{}[]", "[]{}", "[] x", "{} x", "{}\0", "\"a\"b",
            "\"a\" \"b\"", ";", "1;", "{};", ":", "=", "#", "<html>", "<?xml?>", "&", "@", "`", "`a`", "1]", "1}",
            ")]}',\n{}",
            "/**/1", "1/**/", "//\n1", "1//", "#\n1", "[/**/1]", "[1//\n]", "{/**/\"a\":1}", "{\"a\":/**/1}",
            "{\"a\"/**/:1}",
            "/", "/*", "[1/2]", "--", "<!-- -->1",
        ].map(bytes),
        "spaces": [
            "\u{0C}1", "1\u{0C}", "\u{0B}1", "[\u{0C}1]", "\u{A0}1", "1\u{A0}", "[\u{A0}1]", "\u{2003}1",
            "[1,\u{2028}2]",
            "\u{85}1", "\u{3000}1", "1 \u{0}", " \u{0}1", "[1\u{0}]", "\u{8}1", "\u{1F}1", "\u{7F}1", "\u{200B}1",
            "\u{2060}1",
            "[\u{FEFF}1]", "{\u{0C}\"a\":1}", "{\"a\"\u{A0}:1}", "{\"a\":\u{0B}1}", "\u{1680}1", "[1 ,\u{0C}2]", "\\n1",
            "\u{1E}1",
        ].map(bytes),
        "strings": [
            "\"", "\"a", "\"a\\\"", "\"\\", "'a'", "\"a'", "'a\"", "\u{201C}a\u{201D}", "a\"", "\"a\"\"",
            "\"\"\"a\"\"\"",
            "\"a\nb\"", "\"a\rb\"", "\"a\tb\"", "\"\u{0}\"", "\"a", "\"\\\\\\\"", "\\u0022a\\u0022",
        ].map(bytes) + (faultyPieces["escapes"] ?? []).map { quoted($0) },
        "bytes that are not UTF-8": [
            [0xFF], [0xFE], [0x80], [0xC0, 0x80], [0x31, 0xFF], [0x31, 0x80], [0x5B, 0xFF, 0x5D],
            [0x5B, 0x31, 0xC3, 0x5D],
            [0xC3], [0xC3, 0xA9], [0xEF, 0xBB], [0x7B, 0xFF, 0x7D], [0x31, 0xEF, 0xBB, 0xBF],
            [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31],
        ],
    ]

    /// Byte sequences that are invalid in a string, at any offset, in keys and in values.
    static let faultyPieces: [String: [[UInt8]]] = [
        "escapes": [
            #"\x"#, #"\x41"#, #"\a"#, #"\v"#, #"\0"#, #"\'"#, #"\e"#, #"\U0041"#, #"\N"#, #"\ "#, #"\1"#, #"\u"#,
            #"\u1"#,
            #"\u12"#, #"\u123"#, #"\u12G4"#, #"\uG123"#, #"\u 123"#, #"\u+123"#, #"\u-123"#, #"\u{41}"#, #"\u0x41"#,
            #"\u123 "#,
            "\\\n", "\\\u{0}", "\\é", "\\😀", #"\u00é"#, #"\u123\"#, #"\u00\u0041"#, "\\u１２３４", #"\/\x"#, #"\\\q"#,
        ].map(bytes),
        "halves of escapes": [#"\uD800\u"#, #"\uD800\uDC0"#, #"\uD800\uDCGG"#, #"\uD800\"#, #"\uD800\x"#].map(bytes),
        "control characters": (0..<0x20).map { [$0] },
        "continuations that stray": [
            [0x80], [0xBF], [0x80, 0x80], [0xC3, 0xA9, 0xA9], [0xF0, 0x9F, 0x98, 0x80, 0x80], [0x9F],
        ],
        "overlong forms": [
            [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x80, 0x80, 0xAF], [0xF0, 0x8F, 0xBF, 0xBF], [0xC0, 0xA2],
            [0xE0, 0x80, 0xA2],
        ],
        "surrogates as bytes": [
            [0xED, 0xA0, 0x80], [0xED, 0xAD, 0xBF], [0xED, 0xB0, 0x80], [0xED, 0xBF, 0xBF],
            [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
        ],
        "beyond U+10FFFF": [
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xFF, 0xFE], [0xFE, 0xFF],
        ],
        "sequences cut short": [
            [0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98], [0xC3, 0xC3, 0xA9],
            [0xE2, 0x82, 0xC3, 0xA9],
            [0xF0, 0x9F, 0x98, 0x41], [0xE2, 0x41, 0x82], [0xC3, 0x41], [0xF0, 0x9F, 0x41, 0x80], [0xF4, 0x8F, 0xBF],
        ],
    ]

    /// String contents with lone surrogates, and the decoded text with each surrogate replaced.
    static let loneSurrogates: [([UInt8], String)] = [
        (#"\uD800"#, "\u{FFFD}"), (#"\uDBFF"#, "\u{FFFD}"), (#"\uDC00"#, "\u{FFFD}"), (#"\uDFFF"#, "\u{FFFD}"),
        (#"\ud800"#, "\u{FFFD}"), (#"\udfff"#, "\u{FFFD}"), (#"\uD800\u0041"#, "\u{FFFD}A"),
        (#"\uD800\uD800"#, "\u{FFFD}\u{FFFD}"), (#"\uD800\uDBFF"#, "\u{FFFD}\u{FFFD}"),
        (#"\uDC00\uD800"#, "\u{FFFD}\u{FFFD}"), (#"\uDC00\uDC00"#, "\u{FFFD}\u{FFFD}"), (#"\uD800x"#, "\u{FFFD}x"),
        (#"\uD800\n"#, "\u{FFFD}\n"), (#"\uD800\\uDC00"#, #"\#u{FFFD}\uDC00"#),
        (#"\uD83D\uDE00\uDE00"#, "😀\u{FFFD}"), (#"\uD83D\uD83D\uDE00"#, "\u{FFFD}😀"),
        (#"\uD800\uE000"#, "\u{FFFD}\u{E000}"), (#"\uDBFF\uD7FF"#, "\u{FFFD}\u{D7FF}"), (#"\uD800é"#, "\u{FFFD}é"),
        (#"\uD800 \uDC00"#, "\u{FFFD} \u{FFFD}"), (#"\uD800\""#, "\u{FFFD}\""),
    ].map { (Array($0.utf8), $1) }

    /// Valid string contents, and the decoded text.
    static let pieces: [([UInt8], String)] = [
        ("a", "a"), (" ", " "), ("\u{7F}", "\u{7F}"), ("é", "é"), ("\u{7FF}", "\u{7FF}"), ("\u{800}", "\u{800}"),
        ("€", "€"),
        ("\u{D7FF}", "\u{D7FF}"), ("\u{E000}", "\u{E000}"), ("\u{FFFF}", "\u{FFFF}"), ("😀", "😀"),
        ("\u{10FFFF}", "\u{10FFFF}"),
        ("é😀é", "é😀é"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"),
        (#"\n"#, "\n"),
        (#"\r"#, "\r"), (#"\t"#, "\t"), (#"\u0000"#, "\0"), (#"\u0041"#, "A"), (#"\u00e9"#, "é"), (#"\u20AC"#, "€"),
        (#"\uFFFF"#, "\u{FFFF}"), (#"\uD83D\uDE00"#, "😀"), (#"\ud83d\ude00"#, "😀"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"),
        (#"\\\\"#, #"\\"#), (#"\\\""#, #"\""#), (#"\\n"#, #"\n"#), (#"\\u0041"#, #"\u0041"#),
        (#"\u005C\u0022"#, "\\\""),
        (#"\u00e9é\n😀\uD83D\uDE00"#, "éé\n😀😀"), ("\u{2028}", "\u{2028}"), ("\u{FEFF}", "\u{FEFF}"),
        ("{}[]:,", "{}[]:,"),
    ].map { (Array($0.utf8), $1) }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func quoted(_ content: [UInt8]) -> [UInt8] { [0x22] + content + [0x22] }
}
