/// The payload of an event, with the fields of all kinds of events.
struct Payload: Codable, Hashable, Sendable {
    let commits: [Commit]?
    let distinctSize: Int?
    let ref: String?
    let pushID: Int?
    let head: String?
    let before: String?
    let size: Int?
    let description: String?
    let masterBranch: String?
    let refType: String?
    let forkee: Repository?
    let action: String?
    let issue: Issue?
    let comment: Comment?
    let pages: [WikiPage]?

    enum CodingKeys: String, CodingKey {
        case commits
        case distinctSize = "distinct_size"
        case ref
        case pushID = "push_id"
        case head
        case before
        case size
        case description
        case masterBranch = "master_branch"
        case refType = "ref_type"
        case forkee
        case action
        case issue
        case comment
        case pages
    }
}

struct Commit: Codable, Hashable, Sendable {
    let url: String
    let message: String
    let distinct: Bool
    let sha: String
    let author: Author

    struct Author: Codable, Hashable, Sendable {
        let email: String
        let name: String
    }
}

struct WikiPage: Codable, Hashable, Sendable {
    let pageName: String
    let htmlURL: String
    let title: String
    let sha: String
    let summary: String?
    let action: String

    enum CodingKeys: String, CodingKey {
        case pageName = "page_name"
        case htmlURL = "html_url"
        case title
        case sha
        case summary
        case action
    }
}
