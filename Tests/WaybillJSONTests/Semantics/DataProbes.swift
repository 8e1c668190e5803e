import Foundation
import Testing

@Suite("Decoding of data, URLs, UUIDs and strings, compared with Foundation")
struct DataProbes {
    static let base64: [Probe] = Probe.each(
        [
            #""""#, #""QQ==""#, #""QUI=""#, #""QUJD""#, #""QUJDRA==""#, #""+/+/""#, #""-_-_""#, #""QQ""#, #""QQ=""#,
            #""Q""#, #""Q===""#, #""====""#, #""QUJD====""#, #""QU JD""#, #""QUJD\n""#, #""QU\r\nJD""#, #"" QUJD""#,
            #""QUJ*""#, #""QQ==QQ==""#, #""Q=Q=""#, #""QR==""#, #""QUJ=""#, #""QUJDé""#, #""\u0051Q==""#,
            #""QUJD\/w==""#,
            "0", "null", "true", "[81,82]", "[]", "{}",
        ],
        as: Data.self,
        "base64"
    )

    static let deferred: [Probe] = Probe.each(
        ["[]", "[0,255]", "[256]", "[-1]", "[1.5]", "[1.0]", "[null]", #""QQ==""#, "null", "{}", "[[1]]"],
        as: Data.self,
        "deferred",
        DecoderSettings(bytes: .deferredToData),
        at: "Index 0#0"
    )

    static let custom: [Probe] =
        Probe.each(
            [#"["x",null,3]"#, #"["x"]"#, "[null]"],
            as: [Data?].self,
            "custom",
            DecoderSettings(
                bytes: .custom { decoder in Data(try decoder.singleValueContainer().decode(String.self).utf8) }
            )
        )
        + Probe.each(
            ["[null]", #"["x"]"#],
            as: [Data].self,
            "all the same",
            DecoderSettings(bytes: .custom { _ in Data([7]) })
        )
        + Probe.each(
            [#"{"d":"QQ=="}"#, #"{"d":null}"#, "{}", #"{"d":"?"}"#, #"{"d":1}"#],
            as: [String: Data].self,
            "base64"
        )

    static let urls: [Probe] = Probe.each(
        [
            #""https://example.com/a?b=c#d""#, #""""#, #""a""#, #""/path""#, #"" ""#, #""a b""#, #""http://[::1""#,
            #""http://exämple.com/ü""#, #""http://a:99999/""#, #""%zz""#, #""mailto:a@b""#, #""//host""#, #""?q""#,
            ##""#f""##, #""a\u0000b""#, #""\u0061""#, #""😀""#, #""http:\/\/a\/b""#, #""http://""#, #""://""#, "1",
            "null",
            "[]", "{}", #"{"relative":"a"}"#, #"{"relative":"a","base":{"relative":"http://b"}}"#, "true",
        ],
        as: URL.self
    )

    static let urlsInside: [Probe] =
        Probe.each(
            [#"{"u":"http://a"}"#, #"{"u":""}"#, #"{"u":null}"#, #"{"u":1}"#],
            as: [String: [String: URL]?].self
        ) + Probe.each([#"[["http://a"],["http://[::1"]]"#, #"[[1]]"#], as: [[URL]].self)

    static let identifiers: [Probe] =
        Probe.each(
            [
                #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#,
                #""E621E1F8C36C495A93FC0C247A3E6E5F""#, #""{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}""#,
                #""E621E1F8-C36C-495A-93FC-0C247A3E6E5""#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F ""#,
                #""E621E1F8-C36C-495A-93FC-0C247A3E6E5FF""#, #""G621E1F8-C36C-495A-93FC-0C247A3E6E5F""#,
                #""E621E1F-8C36C-495A-93FC-0C247A3E6E5F""#, #""E621E1F8_C36C_495A_93FC_0C247A3E6E5F""#, #""""#,
                #""\u0045621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, #""É621E1F8-C36C-495A-93FC-0C247A3E6E5F""#,
                #""+621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, "1", "null", "[]", "{}",
            ],
            as: UUID.self
        )
        + Probe.each([#"{"a":["x"]}"#, #"{"a":[null]}"#], as: [String: [UUID]].self)

    static let strings: [Probe] =
        Probe.each(
            [
                #""""#, #""a""#, #""é""#, #""e\u0301""#, #""\u00e9\u00E9""#, #""😀""#, #""\uD83D\uDE00""#,
                #""\ud83d\ude00""#,
                #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u0001\u001f""#, #""\u007f\u0080""#, #""\uFFFD\uFFFE\uFFFF""#,
                #""\uFEFFa""#, "\"\u{FEFF}a\"", "\"\u{2028}\u{2029}\"", "\"a\u{7F}b\"", #""\uDBFF\uDFFF""#,
                #""\u00e9\\u00e9""#,
                "\"" + String(repeating: "aé😀\\n", count: 40) + "\"", "\"" + String(repeating: "x", count: 4096) + "\"",
            ],
            as: String.self
        ) + Probe.each([#""a""#, #""😀""#, #""ab""#, #""""#], as: CharacterWord.self)

    /// A type that accepts only strings with one character.
    struct CharacterWord: Decodable {
        let character: Character

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard text.count == 1, let character = text.first else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "")
            }
            self.character = character
        }
    }

    @Test("Decoding base64 data matches Foundation's decoder", arguments: base64)
    func readBase64(probe: Probe) { probe.check() }

    @Test("Decoding deferred and custom data matches Foundation's decoder", arguments: deferred + custom)
    func otherData(probe: Probe) { probe.check() }

    @Test("Decoding URLs matches Foundation's decoder", arguments: urls + urlsInside)
    func url(probe: Probe) { probe.check() }

    @Test("Decoding UUIDs matches Foundation's decoder", arguments: identifiers)
    func identifier(probe: Probe) { probe.check() }

    @Test("Decoding strings matches Foundation's decoder", arguments: strings)
    func string(probe: Probe) { probe.check() }
}
