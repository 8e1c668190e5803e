import Foundation
import Testing

@Suite("The rooms of the library")
struct ArchitectureTests {
    private static let modules = ["Waybill", "WaybillJSON"]

    /// The rows of the table of a module's rooms in Architecture.md.
    private static func rows(of module: String) throws -> [[String]] {
        try Repository.page("Documentation/Architecture.md").rows(ofTableUnder: "Room of `\(module)`")
    }

    /// The rooms in the order of the table.
    private static func documented(in module: String) throws -> [String] {
        try rows(of: module).compactMap { $0.first?.replacingOccurrences(of: "`", with: "") }
    }

    @Test("Architecture.md lists every folder of the sources, once", arguments: modules)
    func listed(module: String) throws {
        #expect(try Self.documented(in: module).sorted() == Room.all(of: module).map(\.name).sorted())
    }

    @Test("A room uses only rooms above it in the table, so no two use each other", arguments: modules)
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

    @Test("Architecture.md says of each room which others it uses", arguments: modules)
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

    @Test("Code is found without comments and strings, types at the top level, and names not behind a dot")
    func scanning() {
        let code = SwiftCode(
            #"""
            // Hidden
            public struct Shown<Value> { enum Nested {} }
            private enum Unseen {}
            extension Used { var text: String { "Said \(1)" + #"a "Quoted" b"# /* Gone */ } }
            let other = Outer.Inner.self
            """#
        )
        #expect(code.topLevelTypes == ["Shown"])
        #expect(code.names.isSuperset(of: ["Used", "Outer", "Nested", "String"]))
        #expect(code.names.isDisjoint(with: ["Hidden", "Said", "Quoted", "Gone", "Inner"]))
    }
}
