import Foundation

/// The modules built with the tests.
enum BuiltModules {
    /// The error thrown if `Waybill.swiftmodule` is not found.
    struct Missing: Error, CustomStringConvertible {
        let searched: [String]

        var description: String {
            "no Waybill.swiftmodule beside the tests; searched \(searched.joined(separator: ", "))"
        }
    }

    /// Returns the folder that contains `Waybill.swiftmodule`: near the test bundle, or in a `Modules` folder there,
    /// whatever the scratch path and the configuration.
    static func folder() throws -> URL {
        let bundles = [Bundle(for: Anchor.self).bundleURL, Bundle.main.executableURL].compactMap { $0 }
        let folders = bundles.flatMap { bundle in
            sequence(first: bundle.resolvingSymlinksInPath()) { $0.deletingLastPathComponent() }.prefix(6)
                .flatMap { [$0.appendingPathComponent("Modules"), $0] }
        }
        guard let folder = folders.first(where: holdsModule) else { throw Missing(searched: folders.map(\.path)) }
        return folder
    }

    /// Returns the compiler arguments for finding the modules and the C modules that they may import.
    static func arguments() throws -> [String] {
        let folder = try folder()
        let builds = try FileManager.default.contentsOfDirectory(
            at: folder.deletingLastPathComponent(),
            includingPropertiesForKeys: nil
        )
        let maps = builds.map { $0.appendingPathComponent("module.modulemap") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
        return ["-I", folder.path] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }

    private static func holdsModule(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("Waybill.swiftmodule").path)
    }

    // Foundation finds a bundle by a class in it.
    private final class Anchor {}
}
