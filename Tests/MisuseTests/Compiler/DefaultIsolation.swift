import TestSupport

/// The isolation that a module's declarations have by default (SE-0466).
enum DefaultIsolation: String, Sendable, CaseIterable {
    case nonisolated
    case mainActor

    /// The isolations that are tried: that of a new Xcode project, unless everything is.
    static var tried: [DefaultIsolation] { Thoroughness.isWhole ? allCases : [.mainActor] }

    /// The compiler's arguments; on the main actor with the upcoming features that new Xcode projects turn on.
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
