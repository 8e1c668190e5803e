import Foundation
import Testing

@Suite("The rooms of the library")
struct ArchitectureTests {
    /// The rooms in the order of the table in Architecture.md.
    private static func documented() throws -> [String] {
        try Repository.page("Documentation/Architecture.md").rows(ofTableUnder: "Room")
            .compactMap { $0.first?.replacingOccurrences(of: "`", with: "") }
    }

    @Test("Architecture.md lists every folder of the sources, once")
    func listed() throws {
        #expect(try Self.documented().sorted() == Room.all().map(\.name).sorted())
    }

    @Test("A room uses only rooms above it in the table, so no two use each other")
    func arrows() throws {
        let rooms = Dictionary(uniqueKeysWithValues: try Room.all().map { ($0.name, $0) })
        let order = try Self.documented().compactMap { rooms[$0] }
        for (place, room) in order.enumerated() {
            for below in order[(place + 1)...] {
                let uses = room.uses(of: below)
                #expect(uses.isEmpty, "\(uses.joined(separator: "\n"))")
            }
        }
    }

    @Test("Architecture.md says of each room which others it uses")
    func uses() throws {
        let rooms = try Room.all()
        for row in try Repository.page("Documentation/Architecture.md").rows(ofTableUnder: "Room") {
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
