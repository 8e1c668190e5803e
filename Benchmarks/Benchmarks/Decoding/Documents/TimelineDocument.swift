import Foundation

/// A search in a social network: many optional keys, and text in several scripts.
struct TimelineDocument {
    private var random = SplitMix64(seed: 1)

    /// A page of statuses.
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

extension TimelineDocument {
    private mutating func user() -> JSONTree {
        let id = random.number(100_000...3_000_000_000)
        let image = "\(random.number(100_000_000...999_999_999))/\(random.hexadecimal(12))"
        let hasZone = random.happens(70)
        return [
            "id": .int(id),
            "id_str": .string("\(id)"),
            "name": .string(random.one(of: Words.names)),
            "screen_name": .string(random.login()),
            "location": .string(random.happens(60) ? random.one(of: Words.cities) : ""),
            "description": .string(random.happens(80) ? random.sentence() + "\n" + random.sentence() : ""),
            "url": .optional(random.happens(40) ? random.address() : nil),
            "protected": .bool(false),
            "followers_count": .int(random.number(0...90_000)),
            "friends_count": .int(random.number(0...5_000)),
            "listed_count": .int(random.number(0...300)),
            "created_at": .string(random.englishTime()),
            "favourites_count": .int(random.number(0...20_000)),
            "utc_offset": hasZone ? .int(random.number(-11...12) * 3600) : .null,
            "time_zone": .optional(hasZone ? random.one(of: ["Tokyo", "Paris", "Irkutsk", "Hawaii"]) : nil),
            "geo_enabled": .bool(random.happens(30)),
            "verified": .bool(random.happens(3)),
            "statuses_count": .int(random.number(1...120_000)),
            "lang": .string(random.one(of: ["ja", "en", "fr", "es"])),
            "contributors_enabled": .bool(false),
            "is_translator": .bool(false),
            "profile_background_color": .string(random.hexadecimal(6)),
            "profile_background_image_url": .string("http://pbs.social.example/backgrounds/\(image).jpeg"),
            "profile_background_image_url_https": .string("https://pbs.social.example/backgrounds/\(image).jpeg"),
            "profile_background_tile": .bool(random.happens(40)),
            "profile_image_url": .string("http://pbs.social.example/images/\(image)_normal.jpeg"),
            "profile_image_url_https": .string("https://pbs.social.example/images/\(image)_normal.jpeg"),
            "profile_banner_url": random.happens(60) ? .string("https://pbs.social.example/banners/\(id)") : .absent,
            "profile_link_color": .string(random.hexadecimal(6)),
            "profile_sidebar_border_color": .string(random.hexadecimal(6)),
            "profile_sidebar_fill_color": .string(random.hexadecimal(6)),
            "profile_text_color": .string("333333"),
            "profile_use_background_image": .bool(true),
            "default_profile": .bool(random.happens(40)),
            "default_profile_image": .bool(false),
            "following": .bool(false),
            "follow_request_sent": .bool(false),
            "notifications": random.happens(50) ? .bool(false) : .null,
        ]
    }

    private mutating func entities() -> JSONTree {
        [
            "hashtags": .array(
                (0..<random.number(0...2)).map { _ in
                    ["text": .string(random.one(of: Words.japanese + Words.accented)), "indices": indices()]
                }
            ),
            "urls": .array((0..<random.number(0...1)).map { _ in link() }),
            "user_mentions": .array((0..<random.number(0...2)).map { _ in mention() }),
            "media": random.happens(20) ? .array([medium()]) : .absent,
        ]
    }

    private mutating func indices() -> JSONTree {
        let start = random.number(0...100)
        return .ints([start, start + random.number(3...23)])
    }

    private mutating func link() -> JSONTree {
        let address = random.address()
        return [
            "url": .string("http://t.example/\(random.hexadecimal(10))"),
            "expanded_url": .string(address),
            "display_url": .string(address.dropFirst("https://".count).prefix(24) + "…"),
            "indices": indices(),
        ]
    }

    private mutating func mention() -> JSONTree {
        let id = random.number(100_000...3_000_000_000)
        return [
            "screen_name": .string(random.login()),
            "name": .string(random.one(of: Words.names)),
            "id": .int(id),
            "id_str": .string("\(id)"),
            "indices": indices(),
        ]
    }

    private mutating func medium() -> JSONTree {
        let id = random.number(400_000_000_000_000_000...500_000_000_000_000_000)
        let file = random.hexadecimal(14)
        func size(_ w: Int, _ h: Int, _ resize: String) -> JSONTree {
            ["w": .int(w), "h": .int(h), "resize": .string(resize)]
        }
        return [
            "id": .int(id),
            "id_str": .string("\(id)"),
            "indices": indices(),
            "media_url": .string("http://pbs.social.example/media/\(file).jpg"),
            "media_url_https": .string("https://pbs.social.example/media/\(file).jpg"),
            "url": .string("http://t.example/\(random.hexadecimal(10))"),
            "display_url": .string("pic.social.example/\(random.hexadecimal(10))"),
            "expanded_url": .string("http://social.example/\(random.login())/status/\(id)/photo/1"),
            "type": .string("photo"),
            "sizes": [
                "thumb": size(150, 150, "crop"),
                "small": size(340, 255, "fit"),
                "medium": size(600, 450, "fit"),
                "large": size(1024, 768, "fit"),
            ],
        ]
    }
}
