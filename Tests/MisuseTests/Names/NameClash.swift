import Testing

/// A name that both Waybill and another module declare.
struct NameClash: Sendable, CustomTestStringConvertible {
    /// The spelling of the name in the file.
    enum Spelling: String, Sendable, CaseIterable {
        /// The plain name: `Query`.
        case plain
        /// The name qualified with the module: `Waybill.Query`.
        case qualified
        /// The plain name, in a file that imports the declaration: `import struct Waybill.Query`.
        case imported
        #if compiler(>=6.3)
            /// The name after a module selector: `Waybill::Query`.
            case selected
        #endif

        /// The prefix of the name.
        var prefix: String {
            switch self {
            case .plain, .imported: ""
            case .qualified: "Waybill."
            #if compiler(>=6.3)
                case .selected: "Waybill::"
            #endif
            }
        }
    }

    /// The module imported beside Waybill.
    let module: String
    let name: String
    /// The keyword of the declaration and the import, such as `struct`.
    let kind: String
    /// A declaration with `NAME` in place of the name.
    let code: String
    /// The spellings that select Waybill's declaration.
    let cures: Set<Spelling>

    init(
        _ module: String,
        _ kind: String,
        _ name: String,
        _ code: String,
        cures: Set<Spelling> = [.qualified, .imported]
    ) {
        self.module = module
        self.kind = kind
        self.name = name
        self.code = code
        #if compiler(>=6.3)
            self.cures = cures.union([.selected])
        #else
            self.cures = cures
        #endif
    }

    var testDescription: String { "\(name) beside \(module)" }

    /// Returns a file that uses the name in a spelling.
    func file(_ spelling: Spelling) -> (name: String, text: String) {
        let imported = spelling == .imported ? "import \(kind) Waybill.\(name)" : ""
        let used = "\(spelling.prefix)\(name)"
        let text = """
            import Foundation
            import \(module)
            import Waybill
            \(imported)
            enum \(module)\(name)\(spelling.rawValue.capitalized) {
            \(code.replacingOccurrences(of: "NAME", with: used))
            }
            """
        return ("\(module)\(name)\(spelling.rawValue.capitalized).swift", text)
    }
}

extension NameClash {
    /// Every clash in Names.md.
    static let all: [NameClash] = [
        NameClash("SwiftData", "struct", "Query", #"func tagged(_ tag: String) -> NAME { NAME("tag", tag) }"#),
        NameClash("RealityKit", "protocol", "Entity", "struct Lamp: NAME { let id: Int }"),
        NameClash(
            "RealityKit",
            "struct",
            "Resource",
            """
            struct Lamp: Waybill.Entity { let id: Int }
            func lamps(_ client: Client) -> NAME<Lamp, ReadOnly> { client.resource("lamps") }
            """
        ),
        NameClash(
            "ComposableArchitecture",
            "struct",
            "Scope",
            #"func house(@NAME.Builder _ clauses: () -> NAME) -> NAME { clauses() }"#
        ),
        NameClash("HTTPTypes", "struct", "HTTPRequest", "func url(_ request: NAME) -> URL { request.url }"),
        NameClash(
            "HTTPTypes",
            "struct",
            "HTTPResponse",
            #"func text(_ response: NAME) -> String { "\(response.body)" }"#
        ),
        NameClash("HTTPTypes", "struct", "HTTPField", "func text(_ field: NAME) -> String { field.value }"),
        NameClash("HTTPTypes", "struct", "HTTPFields", "func count(_ fields: NAME) -> Int { fields.count }"),
        NameClash("OpenAPIRuntime", "struct", "HTTPBody", "func bodies() -> [NAME] { [] }"),
        // Hummingbird exports these names one by one, so importing a single declaration is ambiguous too.
        NameClash(
            "Hummingbird",
            "struct",
            "HTTPRequest",
            "func url(_ request: NAME) -> URL { request.url }",
            cures: [.qualified]
        ),
        NameClash(
            "Hummingbird",
            "struct",
            "HTTPResponse",
            #"func text(_ response: NAME) -> String { "\(response.body)" }"#,
            cures: [.qualified]
        ),
        NameClash(
            "Hummingbird",
            "struct",
            "HTTPFields",
            "func count(_ fields: NAME) -> Int { fields.count }",
            cures: [.qualified]
        ),
        NameClash("Hummingbird", "struct", "Response", response, cures: [.qualified]),
        NameClash("Vapor", "struct", "Client", "struct Shop: API { let client: NAME }"),
        NameClash("Vapor", "protocol", "Middleware", middleware),
        NameClash("Vapor", "struct", "Response", response),
        NameClash("Vapor", "struct", "Route", #"func purging() -> NAME { NAME("PURGE", "cache") }"#),
        NameClash("FluentKit", "struct", "Page", "func first(_ page: NAME<Int>) -> Int? { page.next == nil ? 0 : 1 }"),
        NameClash("GRDB", "struct", "Cursor", "struct Saved: Codable { var cursor: NAME? }"),
        NameClash("Get", "struct", "Response", response),
        NameClash(
            "Get",
            "enum",
            "APIError",
            """
            func fetch(_ client: Client) async {
                do throws(NAME) { try await client.endpoint { GET("lamps") }.send() } catch { print(error.call) }
            }
            """
        ),
    ]

    private static let response = "func count(_ response: NAME<[Int]>) -> Int { response.value.count }"

    private static let middleware = """
        struct Agent: NAME {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                try await next(request)
            }
        }
        """
}
