/// A repository event on a code host.
struct RepositoryEvent: Codable, Hashable, Sendable {
    let type: Kind
    let createdAt: String
    let actor: Actor
    let repo: Reference
    let isPublic: Bool
    let payload: Payload
    let id: String
    let org: Actor?

    enum Kind: String, Codable {
        case push = "PushEvent"
        case create = "CreateEvent"
        case fork = "ForkEvent"
        case watch = "WatchEvent"
        case issues = "IssuesEvent"
        case issueComment = "IssueCommentEvent"
        case gollum = "GollumEvent"
    }

    struct Actor: Codable, Hashable, Sendable {
        let gravatarID: String
        let login: String
        let avatarURL: String
        let url: String
        let id: Int

        enum CodingKeys: String, CodingKey {
            case gravatarID = "gravatar_id"
            case login
            case avatarURL = "avatar_url"
            case url
            case id
        }
    }

    struct Reference: Codable, Hashable, Sendable {
        let url: String
        let id: Int
        let name: String
    }

    enum CodingKeys: String, CodingKey {
        case type
        case createdAt = "created_at"
        case actor
        case repo
        case isPublic = "public"
        case payload
        case id
        case org
    }
}
