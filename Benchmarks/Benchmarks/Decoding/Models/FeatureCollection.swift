/// Map features with their outlines.
struct FeatureCollection: Codable, Hashable, Sendable {
    let type: String
    let features: [Feature]
}

struct Feature: Codable, Hashable, Sendable {
    let type: String
    let properties: Properties
    let geometry: Geometry

    struct Properties: Codable, Hashable, Sendable {
        let name: String
    }

    struct Geometry: Codable, Hashable, Sendable {
        let type: Kind
        let coordinates: [[[Double]]]
    }

    enum Kind: String, Codable {
        case polygon = "Polygon"
        case lines = "MultiLineString"
    }
}
