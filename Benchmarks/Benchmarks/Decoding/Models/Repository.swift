/// A repository on a code host.
struct Repository: Codable, Hashable, Sendable {
    let id: Int
    let description: String
    let fork: Bool
    let url: String
    let language: String
    let fullName: String
    let forks: Int
    let isPrivate: Bool
    let owner: Account
    let pushedAt: String
    let createdAt: String
    let hasIssues: Bool
    let openIssues: Int
    let name: String
    let updatedAt: String
    let forksCount: Int
    let isPublic: Bool
    let hasWiki: Bool
    let watchersCount: Int
    let hasDownloads: Bool
    let homepage: String?
    let openIssuesCount: Int
    let size: Int
    let watchers: Int
    let stargazersURL: String
    let cloneURL: String
    let tagsURL: String
    let mergesURL: String
    let gitRefsURL: String
    let archiveURL: String
    let collaboratorsURL: String
    let languagesURL: String
    let treesURL: String
    let labelsURL: String
    let htmlURL: String
    let forksURL: String
    let branchesURL: String
    let commitsURL: String
    let notificationsURL: String
    let contentsURL: String
    let blobsURL: String
    let issuesURL: String
    let compareURL: String
    let issueEventsURL: String
    let statusesURL: String
    let assigneesURL: String
    let sshURL: String
    let subscribersURL: String
    let mirrorURL: String?
    let gitCommitsURL: String
    let downloadsURL: String
    let pullsURL: String
    let issueCommentURL: String
    let hooksURL: String
    let subscriptionURL: String
    let milestonesURL: String
    let svnURL: String
    let eventsURL: String
    let gitTagsURL: String
    let teamsURL: String
    let commentsURL: String
    let keysURL: String
    let gitURL: String
    let contributorsURL: String

    enum CodingKeys: String, CodingKey {
        case id
        case description
        case fork
        case url
        case language
        case fullName = "full_name"
        case forks
        case isPrivate = "private"
        case owner
        case pushedAt = "pushed_at"
        case createdAt = "created_at"
        case hasIssues = "has_issues"
        case openIssues = "open_issues"
        case name
        case updatedAt = "updated_at"
        case forksCount = "forks_count"
        case isPublic = "public"
        case hasWiki = "has_wiki"
        case watchersCount = "watchers_count"
        case hasDownloads = "has_downloads"
        case homepage
        case openIssuesCount = "open_issues_count"
        case size
        case watchers
        case stargazersURL = "stargazers_url"
        case cloneURL = "clone_url"
        case tagsURL = "tags_url"
        case mergesURL = "merges_url"
        case gitRefsURL = "git_refs_url"
        case archiveURL = "archive_url"
        case collaboratorsURL = "collaborators_url"
        case languagesURL = "languages_url"
        case treesURL = "trees_url"
        case labelsURL = "labels_url"
        case htmlURL = "html_url"
        case forksURL = "forks_url"
        case branchesURL = "branches_url"
        case commitsURL = "commits_url"
        case notificationsURL = "notifications_url"
        case contentsURL = "contents_url"
        case blobsURL = "blobs_url"
        case issuesURL = "issues_url"
        case compareURL = "compare_url"
        case issueEventsURL = "issue_events_url"
        case statusesURL = "statuses_url"
        case assigneesURL = "assignees_url"
        case sshURL = "ssh_url"
        case subscribersURL = "subscribers_url"
        case mirrorURL = "mirror_url"
        case gitCommitsURL = "git_commits_url"
        case downloadsURL = "downloads_url"
        case pullsURL = "pulls_url"
        case issueCommentURL = "issue_comment_url"
        case hooksURL = "hooks_url"
        case subscriptionURL = "subscription_url"
        case milestonesURL = "milestones_url"
        case svnURL = "svn_url"
        case eventsURL = "events_url"
        case gitTagsURL = "git_tags_url"
        case teamsURL = "teams_url"
        case commentsURL = "comments_url"
        case keysURL = "keys_url"
        case gitURL = "git_url"
        case contributorsURL = "contributors_url"
    }
}
