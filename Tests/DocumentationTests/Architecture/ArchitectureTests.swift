import Foundation
import Testing

@Suite("Rooms of the architecture")
nonisolated struct ArchitectureTests {
    private static let modules =
        ["Waybill", "WaybillHTTP", "WaybillJSON", "WaybillCurl", "WaybillStore", "WaybillFiles"] + SwiftCode.options

    /// Returns the rows of a module's room table in Architecture.md.
    private static func rows(of module: String) throws -> [[String]] {
        try Repository.page("Documentation/Operate/Architecture.md").rows(ofTableUnder: "Room of `\(module)`")
    }

    /// Returns the rooms in table order.
    private static func documented(in module: String) throws -> [String] {
        try rows(of: module).compactMap { $0.first?.replacingOccurrences(of: "`", with: "") }
    }

    @Test("Architecture.md lists every source folder exactly once", arguments: modules)
    func listed(module: String) throws {
        #expect(try Self.documented(in: module).sorted() == Room.all(of: module).map(\.name).sorted())
    }

    @Test("A room uses only rooms listed above it in Architecture.md", arguments: modules)
    func arrows(module: String) throws {
        let rooms = Dictionary(uniqueKeysWithValues: try Room.all(of: module).map { ($0.name, $0) })
        let order = try Self.documented(in: module).compactMap { rooms[$0] }
        for (place, room) in order.enumerated() {
            for below in order[(place + 1)...] {
                let uses = room.uses(of: below)
                #expect(uses.isEmpty, "\(uses.joined(separator: "\n"))")
            }
        }
    }

    @Test("Architecture.md lists the rooms that each room uses", arguments: modules)
    func uses(module: String) throws {
        let rooms = try Room.all(of: module)
        for row in try Self.rows(of: module) {
            let name = row[0].replacingOccurrences(of: "`", with: "")
            guard row.count == 3, let room = rooms.first(where: { $0.name == name }) else { continue }
            let used = rooms.filter { $0.name != name && !room.uses(of: $0).isEmpty }.map(\.name)
            let said = row[2] == "nothing" ? [] : row[2].components(separatedBy: ", ")
            #expect(said.sorted() == used.sorted(), "\(name)")
        }
    }

    @Test("Contributing.md lists each clause beside the folder that declares it")
    func clauses() throws {
        let page = try Repository.page("Documentation/Operate/Contributing.md")
        let rows = page.rows(ofTableUnder: "Folder of `Sources`")
        let listed = Dictionary(
            uniqueKeysWithValues: rows.map { row in
                (Self.plain(row[0]), Set(row[1].components(separatedBy: ", ").map(Self.plain)))
            }
        )
        var declared: [String: Set<String>] = [:]
        for (path, code) in try SwiftCode.sources.get() {
            let parts = path.split(separator: "/").map(String.init)
            let clauses = code.clauses
            guard SwiftCode.modulesOfClauses.contains(parts[1]), !clauses.isEmpty else { continue }
            let folder = parts.dropFirst().dropLast().joined(separator: "/")
            declared[folder, default: []].formUnion(clauses)
        }
        // All builders produce a scope, which the page does not list as a clause.
        declared["Waybill/Declaring"] = nil
        #expect(listed == declared)
    }

    @Test("The tests of a module with clauses have a folder for each room", arguments: SwiftCode.modulesOfClauses)
    func testFolders(module: String) throws {
        let files = Repository.files(below: "Tests/\(module)Tests", withExtension: "swift")
        let folders = Set(files.compactMap { $0.split(separator: "/").dropFirst(2).first.map(String.init) })
        let rooms = try Room.all(of: module).compactMap { $0.name.split(separator: "/").first.map(String.init) }
        // JSON values in calls and the abilities of predecessor libraries.
        let others: Set = module == "Waybill" ? ["JSON", "Seeds"] : []
        #expect(folders == others.union(rooms))
    }

    @Test("No core file names an option's type or imports an option")
    func core() throws {
        let types = try SwiftCode.options.reduce(into: Set<String>()) { types, module in
            for room in try Room.all(of: module) { types.formUnion(room.types) }
        }
        #expect(types.isSuperset(of: ["Cached", "Cookies", "Limit", "LongRunning", "Resumable"]))
        for (path, code) in try SwiftCode.sources.get() where path.hasPrefix("Sources/Waybill/") {
            #expect(code.names.intersection(types).isEmpty, "\(path)")
            #expect(code.importedModules.isDisjoint(with: SwiftCode.options), "\(path)")
        }
    }

    private static func plain(_ cell: String) -> String { cell.replacingOccurrences(of: "`", with: "") }

    @Test("A module imports exactly the modules listed in Architecture.md")
    func imports() throws {
        let rows = try Repository.page("Documentation/Operate/Architecture.md").rows(ofTableUnder: "Module")
        for row in rows {
            let module = row[0].replacingOccurrences(of: "`", with: "")
            let files = try SwiftCode.sources.get().filter { $0.key.hasPrefix("Sources/\(module)/") }
            let imported = files.values.reduce(into: Set<String>()) { $0.formUnion($1.importedModules) }
            let said = row[2] == "nothing" ? [] : row[2].components(separatedBy: ", ")
            #expect(imported.sorted() == said.sorted(), "\(module)")
        }
        let folders = Set(
            Repository.files(below: "Sources", withExtension: "swift").compactMap {
                $0.split(separator: "/").dropFirst().first.map(String.init)
            }
        )
        #expect(rows.map { $0[0].replacingOccurrences(of: "`", with: "") }.sorted() == folders.sorted())
    }

    @Test("Modules linked on Linux import Foundation only without FoundationEssentials, except in one file")
    func essentials() throws {
        let modules = ["WaybillSystem", "WaybillHTTP", "WaybillTransports", "WaybillCurl", "WaybillJSON", "Waybill"]
        for path in modules.flatMap({ Repository.files(below: "Sources/\($0)", withExtension: "swift") })
        where path != "Sources/WaybillSystem/Foundation.swift" {
            let lines = try Repository.text(of: path).split(separator: "\n").map(String.init)
            for (line, before) in zip(lines, [""] + lines) where line.contains("import Foundation") {
                #expect(before == "#if !canImport(FoundationEssentials)", "\(path): \(line)")
            }
        }
    }

    @Test("Scanning code removes comments and strings and finds types, members and used names")
    func scanning() {
        let code = SwiftCode(
            #"""
            // Hidden
            public struct Shown<Value> { enum Nested {} }
            private enum Unseen {}
            #if os(Linux)
                struct Conditional {}
            #endif
            extension Used {
                var text: String { "Said \(1)" + #"a "Quoted" b"# /* Gone */ }
                private var unseen: Int { 1 }
            }
            extension Owner {
                struct Held {}
            }
            let other = Outer.Inner.self
            """#
        )
        #expect(code.nestedTypes == ["Owner.Held"])
        #expect(code.qualifiedNames == ["Outer.Inner"])
        #expect(code.unqualifiedNames.isSuperset(of: ["Used", "String"]))
        #expect(code.unqualifiedNames.isDisjoint(with: ["Owner", "Held", "Outer"]))
        #expect(code.topLevelTypes == ["Shown", "Conditional"])
        #expect(code.extensionMembers == ["text"])
        #expect(code.memberNames == ["Inner", "self"])
        #expect(code.names.isSuperset(of: ["Used", "Outer", "String"]))
        #expect(code.names.isDisjoint(with: ["Hidden", "Said", "Quoted", "Gone", "Inner", "Nested"]))
    }
}
