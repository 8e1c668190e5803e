import Foundation

/// Map outlines: mostly numbers with 15 to 17 digits.
enum GeometryDocument {
    /// Returns a collection of shapes.
    static func data() -> Data {
        var random = SplitMix64(seed: 4)
        var writer = JSONWriter()
        let collection: JSONTree = [
            "type": .string("FeatureCollection"),
            "features": .array((0..<48).map { feature($0, &random) }),
        ]
        writer.write(collection)
        return writer.data
    }

    private static func feature(_ place: Int, _ random: inout SplitMix64) -> JSONTree {
        [
            "type": .string("Feature"),
            "properties": ["name": .string("\(random.one(of: Words.cities)) \(place + 1)")],
            "geometry": [
                "type": .string(place.isMultiple(of: 4) ? "MultiLineString" : "Polygon"),
                "coordinates": .array((0..<random.number(1...20)).map { _ in ring(&random) }),
            ],
        ]
    }

    private static func ring(_ random: inout SplitMix64) -> JSONTree {
        var longitude = Double.random(in: -141 ... -52, using: &random)
        var latitude = Double.random(in: 41...83, using: &random)
        return .array(
            (0..<random.number(20...200)).map { _ in
                longitude += Double.random(in: -0.05...0.05, using: &random)
                latitude += Double.random(in: -0.05...0.05, using: &random)
                return .array([.double(longitude), .double(latitude)])
            }
        )
    }
}
