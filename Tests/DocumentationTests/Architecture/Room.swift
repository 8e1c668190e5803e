import Foundation

/// A folder of a module's sources.
nonisolated struct Room: Sendable {
    let name: String
    /// The types that its files declare at the top level.
    let types: Set<String>
    /// The types that its files declare in extensions, prefixed with the extended type: `Retry.Budget`.
    ///
    /// The extended type may belong to another room.
    let nestedTypes: Set<String>
    /// The nested types of all rooms of the module.
    private(set) var nestedTypesOfModule: Set<String> = []
    /// The members that its files declare in extensions, except those whose name another folder of the sources also
    /// declares.
    private(set) var extensionMembers: Set<String>
    /// The code of each file, by the file's path.
    private let files: [String: SwiftCode]

    /// The folders that form the lower layer of a room and have a separate row in the table: declarations and plans
    /// use them, while the rest of the room uses plans and calls.
    private static let lowerLayers: Set = [
        "Authentication/Clauses", "Pagination/Schemes", "Resources/Clauses", "Responses/Clauses",
    ]

    /// Returns all rooms of a module.
    static func all(of module: String) throws -> [Room] { try all.get()[module, default: []] }

    /// All rooms by module, read once.
    private static let all: Result<[String: [Room]], any Error> = Result {
        let modules = Set(try SwiftCode.sources.get().keys.map { String($0.split(separator: "/")[1]) })
        return Dictionary(uniqueKeysWithValues: try modules.map { ($0, try read($0)) })
    }

    private static func read(_ module: String) throws -> [Room] {
        let files = try SwiftCode.sources.get().filter { $0.key.hasPrefix("Sources/\(module)/") }
        let folders = Dictionary(grouping: files) { file in
            let path = file.key.split(separator: "/").dropFirst(2)
            let layer = path.prefix(2).joined(separator: "/")
            return lowerLayers.contains(layer) ? layer : String(path.first ?? "")
        }
        var rooms = folders.sorted { $0.key < $1.key }.map { name, files in
            Room(name: name, files: Dictionary(uniqueKeysWithValues: files.map { ($0.key, $0.value) }))
        }
        // If a name has several declarations, only type information could tell which one is used.
        let counts = try declarations.get()
        let nestedTypes = rooms.reduce(into: Set<String>()) { $0.formUnion($1.nestedTypes) }
        for index in rooms.indices {
            rooms[index].nestedTypesOfModule = nestedTypes
            rooms[index].extensionMembers = rooms[index].extensionMembers.filter {
                counts[$0] == 1 && !ofOtherLibraries.contains($0)
            }
        }
        return rooms
    }

    /// The number of source folders that declare each name.
    private static let declarations: Result<[String: Int], any Error> = SwiftCode.sources.map { sources in
        let folders = Dictionary(grouping: sources) { $0.key.split(separator: "/").dropFirst().prefix(2) }
        return folders.values.reduce(into: [:]) { counts, files in
            let names = files.reduce(into: Set<String>()) { $0.formUnion($1.value.declaredNames) }
            for name in names { counts[name, default: 0] += 1 }
        }
    }

    /// The extension members that share a name with a member in the standard library or Foundation.
    private static let ofOtherLibraries: Set = ["absoluteString", "doubleValue", "get", "range", "withValue"]

    private init(name: String, files: [String: SwiftCode]) {
        self.name = name
        self.files = files
        types = files.values.reduce(into: []) { $0.formUnion($1.topLevelTypes) }
        nestedTypes = files.values.reduce(into: []) { $0.formUnion($1.nestedTypes) }
        extensionMembers = files.values.reduce(into: []) { $0.formUnion($1.extensionMembers) }
    }

    /// Returns the uses of another room, one line per file, with the used types and extension members.
    ///
    /// A type nested in an extension belongs to the extension's room; the outer type in its name is not a use.
    func uses(of other: Room) -> [String] {
        files.sorted { $0.key < $1.key }.compactMap { path, code in
            let nested = code.qualifiedNames.intersection(other.nestedTypes)
            let outer = code.qualifiedNames.subtracting(nestedTypesOfModule).map(SwiftCode.outerName)
            let types = code.unqualifiedNames.union(outer).intersection(other.types).union(nested)
            let members = code.memberNames.intersection(other.extensionMembers)
            let used = types.sorted() + members.sorted().map { ".\($0)" }
            return used.isEmpty ? nil : "\(path) uses \(used.joined(separator: ", ")) of \(other.name)"
        }
    }
}
