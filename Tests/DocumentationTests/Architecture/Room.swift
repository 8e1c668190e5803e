import Foundation

/// A folder of a module's sources.
struct Room: Sendable {
    let name: String
    /// The types that its files declare at the top level.
    let types: Set<String>
    /// The names that each file uses, by the file's path.
    let names: [String: Set<String>]

    /// All folders of a module.
    static func all(of module: String) throws -> [Room] {
        let files = Repository.files(below: "Sources/\(module)", withExtension: "swift")
        let folders = Dictionary(grouping: files) { $0.split(separator: "/").dropFirst(2).first.map(String.init) ?? "" }
        return try folders.sorted { $0.key < $1.key }.map { name, paths in
            var types: Set<String> = []
            var names: [String: Set<String>] = [:]
            for path in paths {
                let code = SwiftCode(try Repository.text(of: path))
                types.formUnion(code.topLevelTypes)
                names[path] = code.names
            }
            return Room(name: name, types: types, names: names)
        }
    }

    /// What the files here use of another room: a line for each file, with the types.
    func uses(of other: Room) -> [String] {
        names.sorted { $0.key < $1.key }.compactMap { path, names in
            let used = names.intersection(other.types).sorted()
            return used.isEmpty ? nil : "\(path) uses \(used.joined(separator: ", ")) of \(other.name)"
        }
    }
}
