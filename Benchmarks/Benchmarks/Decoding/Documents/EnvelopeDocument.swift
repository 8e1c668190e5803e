import Foundation

/// Small entities in an envelope.
enum EnvelopeDocument {
    /// Returns a page of entities in an envelope.
    static func data(of count: Int, keyOrder: JSONWriter.KeyOrder = .declared) -> Data {
        var random = SplitMix64(seed: 6)
        var writer = JSONWriter(keyOrder: keyOrder)
        writer.write(#"{"data":["#)
        for place in 0..<count {
            if place > 0 { writer.write(",") }
            writer.write(article(place + 1, &random))
        }
        writer.write(#"],"meta":"#)
        writer.write(meta(of: count, &random))
        writer.write("}")
        return writer.data
    }

    private static func article(_ id: Int, _ random: inout SplitMix64) -> JSONTree {
        [
            "id": .int(100_000 + id),
            "name": .string(random.words(2...4)),
            "description": .optional(random.happens(60) ? random.words(4...9) : nil),
            "price": .double(Double(random.number(99...99_999)) / 100),
            "stock": .int(random.number(0...500)),
            "is_available": .bool(random.happens(80)),
            "is_featured": .bool(random.happens(10)),
            "tags": .array((0..<random.number(0...3)).map { _ in .string(random.one(of: Words.english)) }),
            "created_at": .string(random.time()),
            "updated_at": .string(random.time()),
            "vendor": [
                "id": .int(random.number(1...900)),
                "name": .string(random.one(of: Words.names)),
                "country": .string(random.one(of: ["FR", "JP", "SE", "PT", "PL", "CL"])),
            ],
        ]
    }

    private static func meta(of count: Int, _ random: inout SplitMix64) -> JSONTree {
        [
            "page": .int(1),
            "per_page": .int(count),
            "total": .int(count * 37),
            "request_id": .string(random.hexadecimal(32)),
        ]
    }
}
