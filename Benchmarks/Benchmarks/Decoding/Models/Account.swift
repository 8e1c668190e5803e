/// An account on a code host.
struct Account: Codable, Hashable, Sendable {
    let id: Int
    let url: String
    let gravatarID: String
    let type: String
    let login: String
    let gistsURL: String
    let avatarURL: String
    let subscriptionsURL: String
    let organizationsURL: String
    let receivedEventsURL: String
    let reposURL: String
    let starredURL: String
    let eventsURL: String
    let followersURL: String
    let followingURL: String

    enum CodingKeys: String, CodingKey {
        case id
        case url
        case gravatarID = "gravatar_id"
        case type
        case login
        case gistsURL = "gists_url"
        case avatarURL = "avatar_url"
        case subscriptionsURL = "subscriptions_url"
        case organizationsURL = "organizations_url"
        case receivedEventsURL = "received_events_url"
        case reposURL = "repos_url"
        case starredURL = "starred_url"
        case eventsURL = "events_url"
        case followersURL = "followers_url"
        case followingURL = "following_url"
    }
}
