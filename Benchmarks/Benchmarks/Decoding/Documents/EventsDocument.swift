import Foundation

/// The repository events of a code host: few kinds of objects, some of them large.
struct EventsDocument {
    var random = SplitMix64(seed: 5)

    /// Returns a page of events.
    static func data() -> Data {
        var document = EventsDocument()
        var writer = JSONWriter()
        writer.write(.array((0..<32).map { document.event($0) }))
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

    mutating func text() -> String {
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
