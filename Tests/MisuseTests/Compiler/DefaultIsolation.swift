import TestSupport

/// The default isolation of a module's declarations (SE-0466).
enum DefaultIsolation: String, Sendable, CaseIterable {
    case nonisolated
    case mainActor

    /// The tested isolations: all in a thorough run, otherwise that of a new Xcode project.
    static var tried: [DefaultIsolation] { Thoroughness.isWhole ? allCases : [.mainActor] }

    /// The compiler arguments, which for the main actor enable the upcoming features of new Xcode projects.
    var arguments: [String] {
        switch self {
        case .nonisolated: []
        case .mainActor:
            [
                "-default-isolation", "MainActor",
                "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
                "-enable-upcoming-feature", "InferIsolatedConformances",
            ]
        }
    }
}
