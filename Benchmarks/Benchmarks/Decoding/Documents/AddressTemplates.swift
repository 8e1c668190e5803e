/// The URLs that a code host's API returns for a repository and an account.
enum AddressTemplates {
    typealias Template = (key: String, before: String, after: String)

    private static let api = "https://api.code.example"

    /// The URLs of a repository before `mirror_url`, which is null.
    static let repository: [Template] = [
        ("stargazers_url", "\(api)/repos/", "/stargazers"),
        ("clone_url", "https://code.example/", ".git"),
        ("tags_url", "\(api)/repos/", "/tags{/tag}"),
        ("merges_url", "\(api)/repos/", "/merges"),
        ("git_refs_url", "\(api)/repos/", "/git/refs{/sha}"),
        ("archive_url", "\(api)/repos/", "/{archive_format}{/ref}"),
        ("collaborators_url", "\(api)/repos/", "/collaborators{/collaborator}"),
        ("languages_url", "\(api)/repos/", "/languages"),
        ("trees_url", "\(api)/repos/", "/git/trees{/sha}"),
        ("labels_url", "\(api)/repos/", "/labels{/name}"),
        ("html_url", "https://code.example/", ""),
        ("forks_url", "\(api)/repos/", "/forks"),
        ("branches_url", "\(api)/repos/", "/branches{/branch}"),
        ("commits_url", "\(api)/repos/", "/commits{/sha}"),
        ("notifications_url", "\(api)/repos/", "/notifications{?since,all,participating}"),
        ("contents_url", "\(api)/repos/", "/contents/{+path}"),
        ("blobs_url", "\(api)/repos/", "/git/blobs{/sha}"),
        ("issues_url", "\(api)/repos/", "/issues{/number}"),
        ("compare_url", "\(api)/repos/", "/compare/{base}...{head}"),
        ("issue_events_url", "\(api)/repos/", "/issues/events{/number}"),
        ("statuses_url", "\(api)/repos/", "/statuses/{sha}"),
        ("assignees_url", "\(api)/repos/", "/assignees{/user}"),
        ("ssh_url", "git@code.example:", ".git"),
        ("subscribers_url", "\(api)/repos/", "/subscribers"),
    ]

    /// The URLs of a repository after `mirror_url`, which is null.
    static let repositoryAfterMirror: [Template] = [
        ("git_commits_url", "\(api)/repos/", "/git/commits{/sha}"),
        ("downloads_url", "\(api)/repos/", "/downloads"),
        ("pulls_url", "\(api)/repos/", "/pulls{/number}"),
        ("issue_comment_url", "\(api)/repos/", "/issues/comments/{number}"),
        ("hooks_url", "\(api)/repos/", "/hooks"),
        ("subscription_url", "\(api)/repos/", "/subscription"),
        ("milestones_url", "\(api)/repos/", "/milestones{/number}"),
        ("svn_url", "https://code.example/", ""),
        ("events_url", "\(api)/repos/", "/events"),
        ("git_tags_url", "\(api)/repos/", "/git/tags{/sha}"),
        ("teams_url", "\(api)/repos/", "/teams"),
        ("comments_url", "\(api)/repos/", "/comments{/number}"),
        ("keys_url", "\(api)/repos/", "/keys{/key_id}"),
        ("git_url", "git://code.example/", ".git"),
        ("contributors_url", "\(api)/repos/", "/contributors"),
    ]

    /// The URLs of an account after `avatar_url`.
    static let account: [Template] = [
        ("subscriptions_url", "\(api)/users/", "/subscriptions"),
        ("organizations_url", "\(api)/users/", "/orgs"),
        ("received_events_url", "\(api)/users/", "/received_events"),
        ("repos_url", "\(api)/users/", "/repos"),
        ("starred_url", "\(api)/users/", "/starred{/owner}{/repo}"),
        ("events_url", "\(api)/users/", "/events{/privacy}"),
        ("followers_url", "\(api)/users/", "/followers"),
        ("following_url", "\(api)/users/", "/following"),
    ]

    /// Returns the members for a repository or account name.
    static func members(_ templates: [Template], of name: String) -> [(key: String, value: JSONTree)] {
        templates.map { ($0.key, .string($0.before + name + $0.after)) }
    }
}
