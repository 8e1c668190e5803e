import Foundation

/// The files of the repository that contains these tests.
nonisolated enum Repository {
    /// The folder that contains the manifest.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Every page: the README at the root, the index, and the pages in the documentation's groups.
    static let pages: [MarkdownPage] = {
        let documentation = files(below: "Documentation", withExtension: "md")
        return (["README.md"] + documentation).compactMap { try? MarkdownPage(path: $0) }
    }()

    /// The landing page of each DocC catalog; the guides beside it are generated from the pages.
    static let landingPages: [MarkdownPage] = files(below: "Sources", withExtension: "md")
        .filter { !$0.contains("/Guides/") }
        .compactMap { try? MarkdownPage(path: $0) }

    /// Returns a page by its path.
    static func page(_ path: String) throws -> MarkdownPage {
        try pages.first { $0.path == path } ?? MarkdownPage(path: path)
    }

    /// The heading anchors of each page, by its path.
    static let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, $0.anchors) })

    /// Returns the text of a file.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns whether there is a file or a folder at a path.
    static func contains(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// Returns the paths of all files below a folder, sorted.
    static func files(below folder: String, withExtension pathExtension: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        return (paths?.compactMap { $0 as? String } ?? [])
            .filter { ($0 as NSString).pathExtension == pathExtension }
            .map { "\(folder)/\($0)" }
            .sorted()
    }
}
