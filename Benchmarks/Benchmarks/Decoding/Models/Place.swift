/// The place at which a status was written.
struct Place: Codable, Hashable, Sendable {
    let id: String
    let url: String
    let placeType: String
    let name: String
    let fullName: String
    let countryCode: String
    let country: String
    let boundingBox: BoundingBox

    struct BoundingBox: Codable, Hashable, Sendable {
        let type: String
        let coordinates: [[[Double]]]
    }

    enum CodingKeys: String, CodingKey {
        case id
        case url
        case placeType = "place_type"
        case name
        case fullName = "full_name"
        case countryCode = "country_code"
        case country
        case boundingBox = "bounding_box"
    }
}

struct Coordinates: Codable, Hashable, Sendable {
    let type: String
    let coordinates: [Double]
}
