import Foundation

/// What happened in repositories of a code host: few kinds of objects, of which some are large.
struct EventsDocument {
    private var random = SplitMix64(seed: 5)

    /// A page of events.
    static func data() -> Data {
        var document = EventsDocument()
        var writer = JSONWriter()
        writer.write(.array((0..<36).map { document.event($0) }))
        return writer.data
    }

    private mutating func event(_ place: Int) -> JSONTree {
        let repository = "\(random.login())/\(random.one(of: Words.english))"
        let (kind, payload) = payload(place, repository)
        return [
            "type": .string(kind),
            "created_at": .string(random.time()),
            "actor": actor(),
            "repo": [
                "url": .string("https://api.code.example/repos/\(repository)"),
                "id": .int(random.number(100_000...9_000_000)),
                "name": .string(repository),
            ],
            "public": .bool(true),
            "payload": payload,
            "id": .string("\(1_652_857_722 - place)"),
            "org": random.happens(20) ? actor() : .absent,
        ]
    }

    private mutating func actor() -> JSONTree {
        let login = random.login()
        return [
            "gravatar_id": .string(random.hexadecimal(32)),
            "login": .string(login),
            "avatar_url": .string(
                "https://avatars.code.example/\(random.hexadecimal(32))?d=https%3A%2F%2Fcode.example"
            ),
            "url": .string("https://api.code.example/users/\(login)"),
            "id": .int(random.number(1_000...4_000_000)),
        ]
    }

    private mutating func payload(_ place: Int, _ repository: String) -> (kind: String, payload: JSONTree) {
        switch place % 12 {
        case 0, 2, 4, 7, 9: ("PushEvent", push(repository))
        case 1: ("CreateEvent", creation())
        case 3: ("ForkEvent", ["forkee": self.repository(repository)])
        case 5: ("IssueCommentEvent", ["action": .string("created"), "issue": issue(repository), "comment": comment()])
        case 6: ("IssuesEvent", ["action": .string("opened"), "issue": issue(repository)])
        case 8: ("GollumEvent", ["pages": .array([page(repository)])])
        default: ("WatchEvent", ["action": .string("started")])
        }
    }

    private mutating func push(_ repository: String) -> JSONTree {
        let count = random.number(1...3)
        return [
            "commits": .array((0..<count).map { _ in commit(repository) }),
            "distinct_size": .int(count),
            "ref": .string("refs/heads/\(random.one(of: Words.english))"),
            "push_id": .int(random.number(130_000_000...140_000_000)),
            "head": .string(random.hexadecimal(40)),
            "before": .string(random.hexadecimal(40)),
            "size": .int(count),
        ]
    }

    private mutating func commit(_ repository: String) -> JSONTree {
        let hash = random.hexadecimal(40)
        return [
            "url": .string("https://api.code.example/repos/\(repository)/commits/\(hash)"),
            "message": .string(text()),
            "distinct": .bool(true),
            "sha": .string(hash),
            "author": [
                "email": .string("\(random.login())@example.org"), "name": .string(random.one(of: Words.names)),
            ],
        ]
    }

    private mutating func text() -> String {
        (0..<random.number(1...4)).map { _ in random.sentence() }.joined(separator: "\n")
    }

    private mutating func creation() -> JSONTree {
        [
            "ref": .string(random.one(of: Words.english)),
            "description": .string(random.words(3...8)),
            "master_branch": .string("main"),
            "ref_type": .string("branch"),
        ]
    }

    private mutating func page(_ repository: String) -> JSONTree {
        let title = random.words(2...4)
        return [
            "page_name": .string(title),
            "html_url": .string("https://code.example/\(repository)/wiki"),
            "title": .string(title),
            "sha": .string(random.hexadecimal(40)),
            "summary": .null,
            "action": .string("edited"),
        ]
    }
}

extension EventsDocument {
    private mutating func issue(_ repository: String) -> JSONTree {
        let number = random.number(1...900)
        let address = "\(repository)/issues/\(number)"
        let isClosed = random.happens(30)
        return [
            "id": .int(random.number(9_000_000...9_900_000)),
            "user": account(random.login()),
            "url": .string("https://api.code.example/repos/\(address)"),
            "labels": .array(
                (0..<random.number(0...2)).map { _ in
                    let name = random.one(of: Words.english)
                    return [
                        "url": .string("https://api.code.example/repos/\(repository)/labels/\(name)"),
                        "name": .string(name),
                        "color": .string(random.hexadecimal(6)),
                    ]
                }
            ),
            "pull_request": ["html_url": .null, "patch_url": .null, "diff_url": .null],
            "created_at": .string(random.time()),
            "closed_at": .optional(isClosed ? random.time() : nil),
            "milestone": .null,
            "title": .string(random.words(3...8)),
            "body": .string(text()),
            "updated_at": .string(random.time()),
            "number": .int(number),
            "state": .string(isClosed ? "closed" : "open"),
            "assignee": random.happens(30) ? account(random.login()) : .null,
            "comments": .int(random.number(0...20)),
            "html_url": .string("https://code.example/\(address)"),
            "labels_url": .string("https://api.code.example/repos/\(address)/labels{/name}"),
            "events_url": .string("https://api.code.example/repos/\(address)/events"),
            "comments_url": .string("https://api.code.example/repos/\(address)/comments"),
        ]
    }

    private mutating func comment() -> JSONTree {
        let id = random.number(12_000_000...12_900_000)
        return [
            "id": .int(id),
            "user": account(random.login()),
            "url": .string("https://api.code.example/comments/\(id)"),
            "created_at": .string(random.time()),
            "body": .string(text()),
            "updated_at": .string(random.time()),
            "issue_url": .string("https://api.code.example/issues/\(id / 7)"),
        ]
    }

    private mutating func account(_ login: String) -> JSONTree {
        let addresses = AddressTemplates.members(AddressTemplates.account, of: login)
        return .object(
            [
                ("id", .int(random.number(1_000...4_000_000))),
                ("url", .string("https://api.code.example/users/\(login)")),
                ("gravatar_id", .string(random.hexadecimal(32))),
                ("type", .string("User")),
                ("login", .string(login)),
                ("gists_url", .string("https://api.code.example/users/\(login)/gists{/gist_id}")),
                ("avatar_url", .string("https://avatars.code.example/\(random.hexadecimal(32))")),
            ] + addresses
        )
    }

    private mutating func repository(_ name: String) -> JSONTree {
        let parts = name.split(separator: "/").map(String.init)
        return .object(
            [
                ("id", .int(random.number(7_000_000...7_900_000))),
                ("description", .string(random.sentence())),
                ("fork", .bool(true)),
                ("url", .string("https://api.code.example/repos/\(name)")),
                ("language", .string(random.one(of: ["Swift", "Ruby", "C++", "Go"]))),
                ("full_name", .string(name)),
                ("forks", .int(0)),
                ("private", .bool(false)),
                ("owner", account(parts[0])),
                ("pushed_at", .string(random.time())),
                ("created_at", .string(random.time())),
                ("has_issues", .bool(false)),
                ("open_issues", .int(0)),
                ("name", .string(parts[1])),
                ("updated_at", .string(random.time())),
                ("forks_count", .int(0)),
                ("public", .bool(true)),
                ("has_wiki", .bool(true)),
                ("watchers_count", .int(0)),
                ("has_downloads", .bool(true)),
                ("homepage", .optional(random.happens(50) ? random.address() : nil)),
                ("open_issues_count", .int(0)),
                ("size", .int(random.number(100...9_000))),
                ("watchers", .int(0)),
            ] + AddressTemplates.members(AddressTemplates.repository, of: name) + [("mirror_url", .null)]
                + AddressTemplates.members(AddressTemplates.repositoryAfterMirror, of: name)
        )
    }
}
