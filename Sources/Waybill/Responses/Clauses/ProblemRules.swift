/// A problem that a response may carry, as one clause declares it.
package struct ProblemRule: Sendable {
    package let statuses: HTTPResponse.StatusSet
    package let contentTypes: [String]
    package let summary: String

    /// Decodes the problem from an envelope; nil if it is not there, or does not count as one.
    package let extra: Extraction.SideValue

    /// Returns the problem that a text is, or nil if it does not count as one; nil if the problem is no text.
    package let text: (@Sendable (String) -> (any Sendable)?)?

    /// The status with the meaning of the problem; nil for the response's own.
    package let equivalentStatus: @Sendable (any Sendable) -> HTTPResponse.Status?

    /// The type of the problem, for descriptions.
    package let type: any (Decodable & Sendable).Type

    /// The place of the problem in the body.
    package let path: [EnvelopeKey]

    /// The statuses of success that inner scopes declare, each with those of its outer scope.
    private var successes: [(inner: HTTPResponse.StatusSet, outer: HTTPResponse.StatusSet)] = []

    package init(
        _ type: any (Decodable & Sendable).Type,
        at path: [EnvelopeKey],
        statuses: HTTPResponse.StatusSet,
        contentTypes: [String],
        summary: String,
        extra: Extraction.SideValue,
        text: (@Sendable (String) -> (any Sendable)?)? = nil,
        equivalentStatus: @escaping @Sendable (any Sendable) -> HTTPResponse.Status?
    ) {
        self.type = type
        self.path = path
        self.statuses = statuses
        self.contentTypes = contentTypes
        self.summary = summary
        self.extra = extra
        self.text = text
        self.equivalentStatus = equivalentStatus
    }

    /// Whether a response of a status and a media type may carry it, if its body is of the form of the problem.
    package func applies(to status: HTTPResponse.Status, contentType: String?) -> Bool {
        guard statuses.contains(status),
            !successes.contains(where: { $0.inner.contains(status) && !$0.outer.contains(status) })
        else { return false }
        guard let media = contentType.map(MediaType.init), !contentTypes.isEmpty else { return true }
        return contentTypes.contains(media.essence)
    }

    fileprivate func below(success inner: HTTPResponse.StatusSet, insteadOf outer: HTTPResponse.StatusSet)
        -> ProblemRule
    {
        var rule = self
        rule.successes.append((inner, outer))
        return rule
    }
}

/// The problems that responses to a call may carry, those of the innermost scope first.
package struct ProblemRules: Setting {
    package static let clauseName = "Problem"

    package let rules: [ProblemRule]

    /// Whether the rules of outer scopes do not hold.
    private let replacesOuter: Bool

    package init(rules: [ProblemRule], replacesOuter: Bool = false) {
        self.rules = rules
        self.replacesOuter = replacesOuter
    }

    package static var accumulates: Bool { true }

    package func merged(over outer: ProblemRules) -> ProblemRules {
        replacesOuter ? self : ProblemRules(rules: rules + outer.rules, replacesOuter: outer.replacesOuter)
    }

    package func joined(after earlier: ProblemRules) -> ProblemRules {
        ProblemRules(rules: earlier.rules + rules, replacesOuter: replacesOuter || earlier.replacesOuter)
    }

    /// Returns the rules below a scope that declares other statuses of success.
    package func below(success inner: HTTPResponse.StatusSet, insteadOf outer: HTTPResponse.StatusSet) -> ProblemRules {
        ProblemRules(
            rules: rules.map { $0.below(success: inner, insteadOf: outer) },
            replacesOuter: replacesOuter
        )
    }

    package var summary: String { rules.isEmpty ? "none" : rules.map(\.summary).joined(separator: ", ") }
}
