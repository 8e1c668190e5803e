/// The larger objects in event payloads.
extension EventsDocument {
    mutating func issue(_ repository: String) -> JSONTree {
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

    mutating func comment() -> JSONTree {
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

    mutating func repository(_ name: String) -> JSONTree {
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
