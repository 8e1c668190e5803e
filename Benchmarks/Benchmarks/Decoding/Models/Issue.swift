/// An issue in a repository.
struct Issue: Codable, Hashable, Sendable {
    let id: Int
    let user: Account
    let url: String
    let labels: [Label]
    let pullRequest: PullRequest
    let createdAt: String
    let closedAt: String?
    let milestone: Milestone?
    let title: String
    let body: String
    let updatedAt: String
    let number: Int
    let state: State
    let assignee: Account?
    let comments: Int
    let htmlURL: String
    let labelsURL: String
    let eventsURL: String
    let commentsURL: String

    struct PullRequest: Codable, Hashable, Sendable {
        let htmlURL: String?
        let patchURL: String?
        let diffURL: String?

        enum CodingKeys: String, CodingKey {
            case htmlURL = "html_url"
            case patchURL = "patch_url"
            case diffURL = "diff_url"
        }
    }

    enum State: String, Codable {
        case open
        case closed
    }

    enum CodingKeys: String, CodingKey {
        case id
        case user
        case url
        case labels
        case pullRequest = "pull_request"
        case createdAt = "created_at"
        case closedAt = "closed_at"
        case milestone
        case title
        case body
        case updatedAt = "updated_at"
        case number
        case state
        case assignee
        case comments
        case htmlURL = "html_url"
        case labelsURL = "labels_url"
        case eventsURL = "events_url"
        case commentsURL = "comments_url"
    }
}

struct Label: Codable, Hashable, Sendable {
    let url: String
    let name: String
    let color: String
}

struct Milestone: Codable, Hashable, Sendable {
    let id: Int
    let number: Int
    let title: String
}

/// A comment on an issue.
struct Comment: Codable, Hashable, Sendable {
    let id: Int
    let user: Account
    let url: String
    let createdAt: String
    let body: String
    let updatedAt: String
    let issueURL: String

    enum CodingKeys: String, CodingKey {
        case id
        case user
        case url
        case createdAt = "created_at"
        case body
        case updatedAt = "updated_at"
        case issueURL = "issue_url"
    }
}
