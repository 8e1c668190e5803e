import Foundation

/// A concert program, indented by four spaces.
enum CatalogueDocument {
    /// Returns the document.
    static func data() -> Data {
        var writer = JSONWriter(indentation: 4)
        writer.write(tree())
        return writer.data
    }

    private static func tree() -> JSONTree {
        var random = SplitMix64(seed: 3)
        let areas = (0..<20).map { 205_705_993 + $0 }
        let seats = (0..<60).map { 338_937_235 + $0 * 3 }
        let topics = (0..<4).map { 107_888_604 + $0 }
        let subTopics = (0..<20).map { 337_184_262 + $0 }
        let concerts = (0..<190).map { 138_586_341 + $0 * 4 }
        return [
            "areaNames": names(areas, &random),
            "audienceSubCategoryNames": ["337100890": .string("Abonné")],
            "blockNames": [:],
            "events": .object(concerts.map { ("\($0)", concert($0, topics, subTopics, &random)) }),
            "performances": .array((0..<235).map { performance($0, concerts, seats, areas, &random) }),
            "seatCategoryNames": names(seats, &random),
            "subTopicNames": names(subTopics, &random),
            "subjectNames": [:],
            "topicNames": names(topics, &random),
            "topicSubTopics": .object(topics.map { ("\($0)", some(of: subTopics, 2...8, &random)) }),
            "venueNames": ["HALL_MAIN": .string("Salle de l’Étoile")],
        ]
    }

    private static func names(_ ids: [Int], _ random: inout SplitMix64) -> JSONTree {
        .object(ids.map { ("\($0)", .string(random.words(2...4, of: Words.accented + Words.english))) })
    }

    private static func some(of ids: [Int], _ count: ClosedRange<Int>, _ random: inout SplitMix64) -> JSONTree {
        .ints((0..<random.number(count)).map { _ in random.one(of: ids) })
    }

    private static func concert(
        _ id: Int,
        _ topics: [Int],
        _ subTopics: [Int],
        _ random: inout SplitMix64
    ) -> JSONTree {
        [
            "description": .null,
            "id": .int(id),
            "logo": logo(&random),
            "name": .string(random.words(2...5, of: Words.accented + Words.english)),
            "subTopicIds": some(of: subTopics, 2...5, &random),
            "subjectCode": .null,
            "subtitle": .null,
            "topicIds": some(of: topics, 2...4, &random),
        ]
    }

    private static func logo(_ random: inout SplitMix64) -> JSONTree {
        .optional(random.happens(50) ? "/images/\(random.hexadecimal(24).uppercased())" : nil)
    }

    private static func performance(
        _ place: Int,
        _ concerts: [Int],
        _ seats: [Int],
        _ areas: [Int],
        _ random: inout SplitMix64
    ) -> JSONTree {
        let first = random.number(0...40)
        let categories = Array(seats[first..<first + random.number(1...7)])
        return [
            "eventId": .int(random.one(of: concerts)),
            "id": .int(339_887_544 + place * 5),
            "logo": logo(&random),
            "name": .null,
            "prices": .array(
                categories.map { category in
                    [
                        "amount": .int(random.number(10...180) * 500),
                        "audienceSubCategoryId": .int(337_100_890),
                        "seatCategoryId": .int(category),
                    ]
                }
            ),
            "seatCategories": .array(
                categories.map { category in
                    [
                        "areas": .array(
                            (0..<random.number(2...16)).map { _ in
                                ["areaId": .int(random.one(of: areas)), "blockIds": .array([])]
                            }
                        ),
                        "seatCategoryId": .int(category),
                    ]
                }
            ),
            "seatMapImage": .null,
            "start": .int(1_372_701_600_000 + place * 86_400_000),
            "venueCode": .string("HALL_MAIN"),
        ]
    }
}
