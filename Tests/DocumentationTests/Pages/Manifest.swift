import Foundation

/// The products in the package's manifest.
nonisolated enum Manifest {
    /// Returns the names of its libraries.
    static func libraries() throws -> Set<String> { try names(after: ".library(name: \"") }

    /// Returns the names of its programs.
    static func programs() throws -> Set<String> { try names(after: ".executable(name: \"") }

    private static func names(after opening: String) throws -> Set<String> {
        Set(
            try Repository.text(of: "Package.swift").components(separatedBy: opening).dropFirst()
                .map { String($0.prefix { $0 != "\"" }) }
        )
    }
}
