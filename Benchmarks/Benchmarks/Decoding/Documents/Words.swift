/// The vocabulary of generated documents.
enum Words {
    static let english = [
        "river", "lamp", "window", "the", "of", "and", "garden", "slowly", "north", "market", "paper", "music", "under",
        "quiet", "yesterday", "train", "a", "harbour", "with", "colour", "winter", "every", "bread", "letter", "again",
    ]
    static let accented = [
        "à", "été", "déjà", "préféré", "où", "château", "façade", "naïve", "señal", "mañana", "über", "Straße",
        "größer",
        "crème", "brûlée", "Noël", "œuvre", "español", "jardín", "corazón",
    ]
    static let japanese = [
        "今日は", "とても", "良い", "天気", "ですね", "東京", "駅前で", "友達と", "会いました", "新しい", "写真を", "見てください", "明日", "また", "ラーメン",
        "食べたい",
        "音楽", "電車が", "遅れて", "います",
    ]
    static let signs = ["😀", "🎉", "❤️", "👍🏽", "🚲", "🌊", "☕️", "🇯🇵", "✨", "👩‍💻"]
    static let names = [
        "Ada Moreau", "Jun Tanaka", "田中 さくら", "Zoë Lindqvist", "Miguel Ángel Ruiz", "Priya Nair", "Lars Sørensen",
        "鈴木 一郎", "Chloé Girard", "Tomasz Wójcik", "Ines Fuchs", "高橋 ゆき", "Omar Haddad", "Freya ☕️", "Nina Petrova",
    ]
    static let cities = [
        "Lyon", "Kyoto", "Porto", "Göteborg", "大阪", "Kraków", "Valparaíso", "Galway", "Zürich", "Tromsø",
    ]
    static let hosts = ["photos.example", "news.example.org", "blog.example.net", "example.com", "journal.example"]
}

extension SplitMix64 {
    /// Returns random words, joined by a separator.
    mutating func words(_ count: ClosedRange<Int>, of words: [String] = Words.english, between space: String = " ")
        -> String
    {
        (0..<number(count)).map { _ in one(of: words) }.joined(separator: space)
    }

    /// Returns a sentence in one of three languages, sometimes followed by an emoji.
    mutating func sentence() -> String {
        let sign = happens(35) ? " " + one(of: Words.signs) : ""
        switch number(1...10) {
        case ...4: return words(6...20) + sign
        case ...7: return words(6...20, of: Words.accented + Words.english) + sign
        default: return words(8...24, of: Words.japanese, between: "") + sign
        }
    }

    /// Returns a user name.
    mutating func login() -> String { "\(one(of: Words.english))_\(one(of: Words.english))\(number(1...999))" }

    /// Returns a URL on one of the hosts.
    mutating func address() -> String {
        "https://\(one(of: Words.hosts))/\(number(2019...2026))/\(words(2...5, between: "-"))"
    }

    /// Returns an ISO 8601 timestamp.
    mutating func time() -> String {
        let date = "20\(number(15...26))-\(padded(number(1...12)))-\(padded(number(1...28)))"
        return "\(date)T\(padded(number(0...23))):\(padded(number(0...59))):\(padded(number(0...59)))Z"
    }

    /// Returns a timestamp with English day and month names.
    mutating func englishTime() -> String {
        let day = one(of: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
        let month = one(of: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"])
        let clock = "\(padded(number(0...23))):\(padded(number(0...59))):\(padded(number(0...59)))"
        return "\(day) \(month) \(padded(number(1...28))) \(clock) +0000 20\(number(15...26))"
    }

    private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
