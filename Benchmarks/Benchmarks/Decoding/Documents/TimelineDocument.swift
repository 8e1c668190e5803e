import Foundation

/// A social network's search results: many optional keys, and text in several scripts.
struct TimelineDocument {
    var random = SplitMix64(seed: 1)

    /// Returns a page of statuses.
    static func data(keyOrder: JSONWriter.KeyOrder = .declared) -> Data {
        var document = TimelineDocument()
        var writer = JSONWriter(keyOrder: keyOrder, isSafeForHTML: true)
        writer.write(document.tree())
        return writer.data
    }

    private mutating func tree() -> JSONTree {
        [
            "statuses": .array((0..<200).map { status($0, canBeRetweet: true) }),
            "search_metadata": [
                "completed_in": .double(0.087),
                "max_id": .int(505_874_924_095_815_681),
                "max_id_str": .string("505874924095815681"),
                "next_results": .string("?max_id=505874847260352512&q=%E4%B8%80&count=200&include_entities=1"),
                "query": .string("%E4%B8%80"),
                "refresh_url": .string("?since_id=505874924095815681&q=%E4%B8%80&include_entities=1"),
                "count": .int(200),
                "since_id": .int(0),
            ],
        ]
    }

    private mutating func status(_ place: Int, canBeRetweet: Bool) -> JSONTree {
        let id = 505_874_924_095_815_681 - place * 4_194_304
        let isReply = random.happens(25)
        let repliedStatus = id - random.number(1_000_000...9_000_000)
        let repliedUser = random.number(100_000...3_000_000_000)
        let isRetweet = canBeRetweet && random.happens(35)
        let language = random.one(of: ["ja", "en", "fr", "es"])
        return [
            "metadata": [
                "result_type": .string(random.one(of: ["recent", "popular"])), "iso_language_code": .string(language),
            ],
            "created_at": .string(random.englishTime()),
            "id": .int(id),
            "id_str": .string("\(id)"),
            "text": .string(text()),
            "source": .string(#"<a href="https://\#(random.one(of: Words.hosts))/app" rel="nofollow">App</a>"#),
            "truncated": .bool(false),
            "in_reply_to_status_id": isReply ? .int(repliedStatus) : .null,
            "in_reply_to_status_id_str": .optional(isReply ? "\(repliedStatus)" : nil),
            "in_reply_to_user_id": isReply ? .int(repliedUser) : .null,
            "in_reply_to_user_id_str": .optional(isReply ? "\(repliedUser)" : nil),
            "in_reply_to_screen_name": .optional(isReply ? random.login() : nil),
            "user": user(),
            "geo": .null,
            "coordinates": random.happens(5) ? point() : .null,
            "place": random.happens(8) ? self.place() : .null,
            "contributors": .null,
            "retweeted_status": isRetweet ? status(place + 1000, canBeRetweet: false) : .absent,
            "retweet_count": .int(random.number(0...900)),
            "favorite_count": .int(random.number(0...900)),
            "entities": entities(),
            "favorited": .bool(false),
            "retweeted": .bool(false),
            "possibly_sensitive": random.happens(30) ? .bool(false) : .absent,
            "lang": .string(language),
        ]
    }

    private mutating func text() -> String {
        let mention = random.happens(30) ? "@\(random.login()) " : ""
        let second = random.happens(30) ? "\n「\(random.words(3...9, of: Words.japanese, between: ""))」" : ""
        let quotation = random.happens(15) ? " \"\(random.words(2...5))\"" : ""
        return mention + random.sentence() + second + quotation
    }

    private mutating func point() -> JSONTree {
        ["type": .string("Point"), "coordinates": position()]
    }

    private mutating func position() -> JSONTree {
        .array([
            .double(Double(random.number(-180_000_000...180_000_000)) / 1_000_000),
            .double(Double(random.number(-90_000_000...90_000_000)) / 1_000_000),
        ])
    }

    private mutating func place() -> JSONTree {
        let id = random.hexadecimal(16)
        let city = random.one(of: Words.cities)
        return [
            "id": .string(id),
            "url": .string("https://api.social.example/1.1/geo/id/\(id).json"),
            "place_type": .string("city"),
            "name": .string(city),
            "full_name": .string("\(city), \(random.one(of: Words.accented))"),
            "country_code": .string("FR"),
            "country": .string("République française"),
            "bounding_box": [
                "type": .string("Polygon"), "coordinates": .array([.array((0..<4).map { _ in position() })]),
            ],
        ]
    }
}
