/// The authors of statuses, and the entities in their text.
extension TimelineDocument {
    mutating func user() -> JSONTree {
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

    mutating func entities() -> JSONTree {
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
