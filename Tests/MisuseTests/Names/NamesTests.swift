import Foundation
import TestSupport
import Testing

@Suite(
    "Names that another module also declares",
    .inTurn,
    .enabled(if: SwiftCompiler.location != nil, "there is no swiftc on this machine's PATH"),
    .enabled(if: LookAlikeModule.canBeBuilt, "the frameworks themselves stand in the way of modules of their names")
)
struct NamesTests {
    private static let diagnostic = "'Query' is ambiguous for type lookup in this context"

    private static let modules = Task { try await LookAlikeModule.build(LookAlikeModule.all) }

    /// The compilations of all code that compiles, and of all spellings that do not.
    private static let compilations = Dictionary(
        uniqueKeysWithValues: [true, false].map { compiles in
            let clashes = NameClash.all.flatMap { clash in
                NameClash.Spelling.allCases.filter { clash.cures.contains($0) == compiles }.map { clash.file($0) }
            }
            let files = compiles ? clashes + OrdinaryCode.all.map(\.file) + [insideView(of: "Waybill.Body")] : clashes
            return (compiles, Task { try await compilation(of: [shop] + files) })
        }
    )

    private static func compilation(of files: [(name: String, text: String)]) async throws -> Compilation {
        try await Compilation(of: files, arguments: ["-I", modules.value.path])
    }

    private static let shop = (
        name: "Shop.swift",
        text: """
        import Foundation
        import Waybill

        struct Product: Entity {
            let id: Int
            var name: String
        }

        struct Shop: API {
            let client: Client
            var products: Resource<Product, ReadWrite> { resource("products") }
        }
        """
    )

    private static func insideView(of name: String) -> (name: String, text: String) {
        let text = """
            import SwiftUI
            import Waybill

            struct RenameView: View {
                let client: Client
                var body: some View { Text("") }
                func rename(_ text: String) -> Endpoint<Void> {
                    client.endpoint {
                        POST("names")
                        \(name)(["name": text])
                    }
                }
            }
            """
        return ("RenameView.swift", text)
    }

    @Test("Ordinary code compiles beside the module", arguments: OrdinaryCode.all)
    func ordinaryCode(_ code: OrdinaryCode) async throws {
        let diagnostics = try #require(try await Self.compilations[true]?.value).diagnostics(in: code.file.name)
        #expect(diagnostics.isEmpty, "\(diagnostics.map(\.description).joined(separator: "\n"))")
    }

    @Test("A clashing name in type position is an error", .thorough, arguments: NameClash.all)
    func clash(_ clash: NameClash) async throws {
        let diagnostics = try #require(try await Self.compilations[false]?.value)
            .diagnostics(in: clash.file(.plain).name)
        #expect(diagnostics.contains { $0.severity == .error && $0.message.contains("'\(clash.name)'") })
    }

    @Test("A clashing name compiles in each of the spellings that resolve the clash")
    func cures() async throws {
        let compilation = try #require(try await Self.compilations[true]?.value)
        for clash in NameClash.all {
            for spelling in clash.cures {
                let diagnostics = compilation.diagnostics(in: clash.file(spelling).name)
                #expect(diagnostics.isEmpty, "\(clash), \(spelling): \(diagnostics.map(\.description))")
            }
        }
    }

    @Test("Importing a single name does not compile beside a module that exports that name individually", .thorough)
    func exportedByName() async throws {
        let compilation = try #require(try await Self.compilations[false]?.value)
        for clash in NameClash.all where !clash.cures.contains(.imported) {
            let errors = compilation.diagnostics(in: clash.file(.imported).name)
            #expect(errors.contains { $0.message.contains("'\(clash.name)'") }, "\(clash): \(errors)")
        }
    }

    @Test("A type alias in the app resolves a clash in every file", .thorough)
    func typeAliases() async throws {
        let names = Set(NameClash.all.map(\.name)).sorted()
        let aliases = names.map { "typealias \($0) = Waybill.\($0)" }.joined(separator: "\n")
        let files = NameClash.all.map { $0.file(.plain) } + [("Names.swift", "import Waybill\n\(aliases)")]
        let output = try await Self.compilation(of: [Self.shop] + files).output
        #expect(output.isEmpty, "\(output)")
    }

    @Test("A type alias in an extension of API does not resolve a clash in type position", .thorough)
    func typeAliasInAPI() async throws {
        let text = """
            import SwiftData
            import Waybill

            extension API { typealias Query = Waybill.Query }
            struct Catalogue: API {
                let client: Client
                func tagged(_ tag: String) -> Query { Query("tag", tag) }
            }
            """
        let diagnostics = try await Self.compilation(of: [("Aliases.swift", text)]).diagnostics(in: "Aliases.swift")
        #expect(diagnostics.map(\.message) == [Self.diagnostic])
    }

    @Test("Inside a view, Body is the view's associated type and Waybill.Body is the clause", .thorough)
    func body() async throws {
        let plain = Self.insideView(of: "Body")
        let errors = try await Self.compilation(of: [plain]).diagnostics(in: plain.name)
        #expect(errors.contains { $0.severity == .error && $0.message.contains("RenameView.Body") })
        let qualified = try #require(try await Self.compilations[true]?.value).diagnostics(in: plain.name)
        #expect(qualified.isEmpty, "\(qualified.map(\.description).joined(separator: "\n"))")
    }

    @Test("Importing Waybill exposes neither Foundation nor the C library nor package declarations", .thorough)
    func imports() async throws {
        let text = """
            import Waybill

            let date: Date? = nil
            let lock: Lock? = nil
            func number() -> Int32 { getpid() }
            """
        let diagnostics = try await Self.compilation(of: [("Imports.swift", text)]).diagnostics(in: "Imports.swift")
        for name in ["Date", "Lock", "getpid"] {
            let errors = diagnostics.filter { $0.severity == .error && $0.message.contains("'\(name)' in scope") }
            #expect(!errors.isEmpty, "\(name)")
        }
    }

    @Test("Without the import of a product, the compiler reports an unknown type or names the product to import")
    func products() async throws {
        let text = """
            import Waybill

            struct Item: Entity { let id: Int }

            func use(_ items: Resource<Item, ReadOnly>, _ list: Endpoint<[Item]>, _ one: Endpoint<Item>) async throws {
                for try await item in items.all(streaming: true) { _ = item }
                for try await item in list.all(streaming: true, from: .start) { _ = item }
                _ = try await one.send(resuming: nil)
                for try await item in try await list.stream() { _ = item }
                for try await chunk in try await one.bytes() { _ = chunk }
                _ = try await one.download(to: one.url)
                _ = Authorization(.digest(user: "ann", password: "open"))
                do throws(APIError) { _ = try await one.send() } catch { _ = error.isNotCached }
                _ = try await one.response(resuming: nil) { token in print(token) }
                _ = try await one.send(continuing: nil) { status in print(status) }
                _ = try await one.response { status in print(status) }
                _ = (Cached.none, Limit.none, LongRunning.self, Cookies.none, Compressed.none)
            }
            """
        let diagnostics = try await Self.compilation(of: [("Products.swift", text)]).diagnostics(in: "Products.swift")
        let messages = diagnostics.filter { $0.severity == .error }.map(\.message)
        for name in ["Cached", "Limit", "LongRunning", "Cookies", "Compressed"] {
            #expect(messages.contains { $0.contains("cannot find '\(name)' in scope") }, "\(name)")
        }
        #expect(messages.count { $0.contains("`import WaybillTransfers`, the product that streams pages") } == 2)
        #expect(messages.count { $0.contains("`import WaybillTransfers`, the product that resumes uploads") } == 2)
        #expect(messages.count { $0.contains("`import WaybillOperations`, the product that follows operations;") } == 2)
        for product in [
            "WaybillTransfers`, the product that streams lists",
            "WaybillTransfers`, the product that reads bodies as they arrive",
            "WaybillTransfers`, the product that downloads files",
            "WaybillSessions`, the product that answers Digest challenges",
            "WaybillCaching`, the product of the cache",
        ] {
            #expect(messages.contains { $0.contains("add `import \(product)") }, "\(product)")
        }
    }

    @Test("Names.md lists the clashes of each module and quotes the diagnostic verbatim")
    func page() throws {
        let page = RepositoryRoot.url.appendingPathComponent("Documentation/Declare/Names.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("`\(Self.diagnostic)`"))
        // The other table lists the products of the package.
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| `Waybill") }
        let listed = rows.compactMap { row -> String? in
            let words = row.split(separator: "`").filter { $0.allSatisfy { $0.isLetter || $0.isNumber } }
            return words.count > 1 ? words.joined(separator: " ") : nil
        }
        let clashes = Dictionary(grouping: NameClash.all, by: \.module).map { module, clashes in
            ([module] + clashes.map(\.name).sorted()).joined(separator: " ")
        }
        #expect(listed.sorted() == clashes.sorted())
    }
}
