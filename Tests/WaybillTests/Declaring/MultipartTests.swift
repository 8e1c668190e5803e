import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// The specification of multipart forms: each declaration with the bytes of its body.
@Suite("Multipart encoding")
struct MultipartTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let lines: [String]
        let multipart: @Sendable () -> Multipart

        init(_ name: String, _ lines: String..., @Multipart.Builder parts: @escaping @Sendable () -> [Multipart.Part]) {
            testDescription = name
            self.lines = lines
            multipart = { Multipart(parts()) }
        }
    }

    struct Filter: Encodable, Sendable {
        struct Price: Encodable, Sendable { var min = 3 }

        var inStock = true
        var price = Price()
        var tags = ["a", "b"]
    }

    static let boundary = "000000000000000a000000000000000a"

    static func client(@Scope.Builder _ clauses: () -> Scope = { Scope() }) -> Client {
        Client(Shop.url, transport: StubTransport([:]), randomNumberGenerator: StubGenerator { 10 }, clauses)
    }

    @Test(arguments: texts + names + contents + control)
    func bytes(_ row: Row) async throws {
        let endpoint: Endpoint<Void> = Self.client().endpoint {
            POST("a")
            row.multipart()
        }
        let body = try #require(try endpoint.plan().body)
        let text = String(decoding: try await body.collect(), as: UTF8.self)
        #expect(text == row.lines.joined(separator: "\r\n") + "\r\n")
        #expect(body.length == text.utf8.count && body.isReplayable && body.isSeekable)
        #expect(try endpoint.headerFields[.contentType] == "multipart/form-data; boundary=\(Self.boundary)")
    }

    private static let end = "--\(boundary)--"
    private static let delimiter = "--\(boundary)"

    static let texts: [Row] = [
        Row(
            "fields of a form",
            delimiter,
            #"Content-Disposition: form-data; name="title""#,
            "",
            "Dawn",
            delimiter,
            #"Content-Disposition: form-data; name="count""#,
            "",
            "7",
            delimiter,
            #"Content-Disposition: form-data; name="isNew""#,
            "",
            "true",
            end
        ) {
            Multipart.Part("title", "Dawn")
            Multipart.Part("count", 7)
            Multipart.Part("isNew", true)
        },
        Row("no parts", end) {},
        Row(
            "a nil",
            delimiter,
            #"Content-Disposition: form-data; name="b""#,
            "",
            "",
            end
        ) {
            Multipart.Part("a", nil as String?)
            Multipart.Part("b", "")
        },
        Row(
            "line breaks of a text",
            delimiter,
            #"Content-Disposition: form-data; name="a""#,
            "",
            "1\r\n2\r\n3\r\n4\r\n\r\n5\r\n",
            end
        ) { Multipart.Part("a", "1\n2\r3\r\n4\n\r5\r") },
        Row(
            "a text of a type",
            delimiter,
            #"Content-Disposition: form-data; name="a""#,
            "Content-Type: text/markdown",
            "",
            "# 1",
            end
        ) { Multipart.Part("a", "# 1", contentType: " text/markdown ") },
        Row(
            "a text with the boundary in it",
            delimiter,
            #"Content-Disposition: form-data; name="a""#,
            "",
            "--",
            end
        ) { Multipart.Part("a", "--") },
    ]

    static let names: [Row] = [
        Row(
            "a name with a quotation mark, line breaks, a percent sign and a backslash",
            delimiter,
            #"Content-Disposition: form-data; name="a%22b%0D%0Ac%0D%0Ad%0D%0Ae%41\\f""#,
            "",
            "1",
            end
        ) { Multipart.Part("a\"b\nc\rd\r\ne%41\\f", "1") },
        Row(
            "a file name with a quotation mark, line breaks, a percent sign and a backslash",
            delimiter,
            #"Content-Disposition: form-data; name="a"; filename="a%22b%0Ac%0Dd%0D%0Ae%41\\f""#,
            "Content-Type: application/octet-stream",
            "",
            "1",
            end
        ) { Multipart.Part("a", Data("1".utf8), fileName: "a\"b\nc\rd\r\ne%41\\f") },
        Row(
            "names with a backslash at the end",
            delimiter,
            #"Content-Disposition: form-data; name="a\\"; filename="b\\\\""#,
            "Content-Type: application/octet-stream",
            "",
            "1",
            end
        ) { Multipart.Part("a\\", Data("1".utf8), fileName: "b\\\\") },
        Row(
            "a backslash before a quotation mark",
            delimiter,
            #"Content-Disposition: form-data; name="a\\%22; filename=\\%22""#,
            "",
            "1",
            end
        ) { Multipart.Part("a\\\"; filename=\\\"", "1") },
        Row(
            "names that would inject a header field",
            delimiter,
            #"Content-Disposition: form-data; name="a%22%0D%0AX-Evil: 1%0D%0A%0D%0A"; filename="%22%0D%0AX-Evil: 2""#,
            "Content-Type: application/octet-stream",
            "",
            "1",
            end
        ) { Multipart.Part("a\"\r\nX-Evil: 1\r\n\r\n", Data("1".utf8), fileName: "\"\r\nX-Evil: 2") },
        Row(
            "names beyond ASCII",
            delimiter,
            #"Content-Disposition: form-data; name="größe"; filename="写真 🌅.jpg""#,
            "Content-Type: image/jpeg",
            "",
            "1",
            end
        ) { Multipart.Part("größe", Data("1".utf8), fileName: "写真 🌅.jpg", contentType: "image/jpeg") },
        Row(
            "an empty file name",
            delimiter,
            #"Content-Disposition: form-data; name="a"; filename="""#,
            "Content-Type: application/octet-stream",
            "",
            "",
            end
        ) { Multipart.Part("a", Data(), fileName: "") },
        Row(
            "several parts of one name, in their order",
            delimiter,
            #"Content-Disposition: form-data; name="a"; filename="1""#,
            "Content-Type: application/octet-stream",
            "",
            "1",
            delimiter,
            #"Content-Disposition: form-data; name="b""#,
            "",
            "2",
            delimiter,
            #"Content-Disposition: form-data; name="a"; filename="3""#,
            "Content-Type: application/octet-stream",
            "",
            "3",
            end
        ) {
            Multipart.Part("a", Data("1".utf8), fileName: "1")
            Multipart.Part("b", "2")
            Multipart.Part("a", Data("3".utf8), fileName: "3")
        },
    ]

    static let contents: [Row] = [
        Row(
            "JSON",
            delimiter,
            #"Content-Disposition: form-data; name="meta""#,
            "Content-Type: application/json",
            "",
            #"{"album":7}"#,
            delimiter,
            #"Content-Disposition: form-data; name="patch""#,
            "Content-Type: application/merge-patch+json",
            "",
            "[1]",
            end
        ) {
            Multipart.Part("meta", json: ["album": 7])
            Multipart.Part("patch", json: [1], contentType: "application/merge-patch+json")
        },
        Row(
            "a value, flattened below a name",
            delimiter,
            #"Content-Disposition: form-data; name="filter[in_stock]""#,
            "",
            "true",
            delimiter,
            #"Content-Disposition: form-data; name="filter[price][min]""#,
            "",
            "3",
            delimiter,
            #"Content-Disposition: form-data; name="filter[tags][]""#,
            "",
            "a",
            delimiter,
            #"Content-Disposition: form-data; name="filter[tags][]""#,
            "",
            "b",
            end
        ) { Multipart.Part("filter", formEncoding: Filter(), arrays: .brackets, keys: .convertToSnakeCase) },
        Row(
            "a value, flattened",
            delimiter,
            #"Content-Disposition: form-data; name="inStock""#,
            "",
            "true",
            delimiter,
            #"Content-Disposition: form-data; name="price[min]""#,
            "",
            "3",
            delimiter,
            #"Content-Disposition: form-data; name="tags""#,
            "",
            "a,b",
            end
        ) { Multipart.Part(formEncoding: Filter(), arrays: .commaSeparated) },
        Row(
            "bytes as they are, without a type",
            delimiter,
            #"Content-Disposition: form-data; name="a""#,
            "",
            "1\n2\r3",
            end
        ) { Multipart.Part("a", Data("1\n2\r3".utf8)) },
        Row(
            "a body that is produced while it is sent",
            delimiter,
            #"Content-Disposition: form-data; name="a"; filename="a.txt""#,
            "Content-Type: text/plain",
            "",
            "one two",
            end
        ) {
            Multipart.Part(
                "a",
                HTTPBody(length: 7) { Chunks(Data("one two".utf8).dropFirst($0), size: 2) },
                fileName: "a.txt",
                contentType: "text/plain"
            )
        },
    ]

    static let control: [Row] = [
        Row(
            "conditions, loops and lists",
            delimiter,
            #"Content-Disposition: form-data; name="if""#,
            "",
            "1",
            delimiter,
            #"Content-Disposition: form-data; name="else""#,
            "",
            "2",
            delimiter,
            #"Content-Disposition: form-data; name="for""#,
            "",
            "3",
            delimiter,
            #"Content-Disposition: form-data; name="for""#,
            "",
            "4",
            delimiter,
            #"Content-Disposition: form-data; name="list""#,
            "",
            "5",
            delimiter,
            #"Content-Disposition: form-data; name="case""#,
            "",
            "6",
            end
        ) {
            let (yes, number) = (true, 2)
            if yes { Multipart.Part("if", 1) }
            if !yes { Multipart.Part("if", 0) } else { Multipart.Part("else", 2) }
            for number in 3...4 { Multipart.Part("for", number) }
            [5].map { Multipart.Part("list", $0) }
            switch number {
            case 1: Multipart.Part("case", 1)
            default: Multipart.Part("case", 6)
            }
        }
    ]

    @Test("The encoder and form style in scope apply to JSON parts and flattened values")
    func scope() async throws {
        struct Meta: Encodable, Sendable {
            var isNew = true
            var note: String?
        }
        let endpoint: Endpoint<Void> = Self.client {
            Encode(keys: .convertToSnakeCase, contentType: "application/vnd.api+json")
            Body.Format(as: .form(keys: .convertToSnakeCase), nils: .null)
        }.endpoint {
            POST("a")
            Body.Member("version", 2)
            Multipart {
                Multipart.Part("meta", json: Meta())
                Multipart.Part(formEncoding: Meta())
                Multipart.Part("under", formEncoding: Meta())
            }
        }
        let text = String(decoding: try #require(try endpoint.body), as: UTF8.self)
        #expect(text.contains("name=\"under[note]\"\r\n\r\n\r\n"))
        #expect(text.contains("Content-Type: application/json\r\n\r\n{\"is_new\":true,\"note\":null}\r\n"))
        #expect(text.contains("name=\"is_new\"\r\n\r\ntrue\r\n") && text.contains("name=\"note\"\r\n\r\n\r\n"))
        #expect(text.hasSuffix("name=\"version\"\r\n\r\n2\r\n--\(Self.boundary)--\r\n"))
        #expect(try endpoint.headerFields[values: .contentType].count == 1)
    }

    @Test("Each plan has a new boundary with 128 random bits")
    func boundaries() throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("a")
            Multipart { Multipart.Part("a", 1) }
        }
        let types = try (1...100).map { _ in try #require(try endpoint.headerFields[.contentType]) }
        #expect(Set(types).count == 100)
        #expect(types.allSatisfy { $0.wholeMatch(of: /multipart\/form-data; boundary=[0-9a-f]{32}/) != nil })
    }

    @Test("A multipart body's length and replayability depend on its stream")
    func streams() async throws {
        for (stream, length, isReplayable) in [
            (HTTPBody(Chunks("one ", "two")), nil, false), (HTTPBody(Chunks("one ", "two"), length: 7), 127, false),
            (HTTPBody(Chunks("one ", "two"), isReplayable: true), nil, true),
        ] as [(HTTPBody, Int?, Bool)] {
            let endpoint: Endpoint<Void> = Self.client().endpoint {
                POST("a")
                Multipart { Multipart.Part("a", stream) }
            }
            let body = try #require(try endpoint.plan().body)
            #expect(body.length == length && body.isReplayable == isReplayable && !body.isSeekable)
            #expect(try await body.collect().count == 127)
        }
    }

    @Test("A form's description lists its parts without their contents")
    func descriptions() throws {
        let multipart = Multipart {
            Multipart.Part("title", "confidential")
            Multipart.Part("meta", json: ["confidential": 1])
            Multipart.Part("photo", Data("confidential".utf8), fileName: "a\".jpg", contentType: "image/jpeg")
            Multipart.Part("stream", HTTPBody(Chunks("confidential")))
            Multipart.Part(formEncoding: ["confidential": 1])
        }
        let text = "title, meta of application/json, photo: a\".jpg of image/jpeg, stream, form"
        #expect("\(multipart)" == "Multipart(\(text))" && "\(multipart.parts[0])" == "Multipart.Part(title)")
        #expect(!String(reflecting: multipart).contains("confidential"))
        let endpoint: Endpoint<Void> = Self.client().endpoint {
            POST("a")
            Multipart(Array(multipart.parts.dropLast()))
        }
        let lines = try endpoint.explanation.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("  Body: a stream of multipart/form-data; boundary=\(Self.boundary)") })
        #expect(
            lines.dropLast().suffix(4) == [
                "    Part title: 12 bytes", "    Part meta: 18 bytes of application/json",
                "    Part photo: a%22.jpg, 12 bytes of image/jpeg", "    Part stream: a stream",
            ]
        )
    }
}
