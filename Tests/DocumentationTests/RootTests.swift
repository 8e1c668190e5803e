import Foundation
import Testing

@Suite("Repository root")
struct RootTests {
    @Test("The repository root contains only the manifest, the folders and the README")
    func listing() throws {
        let allowed: Set = ["Package.swift", "Sources", "Tests", "Benchmarks", "Documentation", "README.md"]
        let ignored = try Repository.text(of: ".gitignore").split(separator: "\n").map(String.init)
        let entries = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path).filter { name in
            !name.hasPrefix(".")
                && !ignored.contains { $0 == name || ($0.first == "*" && name.hasSuffix($0.dropFirst())) }
        }
        #expect(allowed.isSuperset(of: entries), "\(entries.filter { !allowed.contains($0) })")
        #expect(allowed.isSubset(of: entries))
    }
}
