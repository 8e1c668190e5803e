/// The distances and travel times between places.
struct DistanceMatrix: Codable, Hashable, Sendable {
    let destinationAddresses: [String]
    let originAddresses: [String]
    let rows: [Row]
    let status: Outcome

    struct Row: Codable, Hashable, Sendable {
        let elements: [Element]
    }

    struct Element: Codable, Hashable, Sendable {
        let distance: Measure
        let duration: Measure
        let status: Outcome
    }

    struct Measure: Codable, Hashable, Sendable {
        let text: String
        let value: Int
    }

    enum Outcome: String, Codable {
        case ok = "OK"
        case notFound = "NOT_FOUND"
        case noResults = "ZERO_RESULTS"
    }

    enum CodingKeys: String, CodingKey {
        case destinationAddresses = "destination_addresses"
        case originAddresses = "origin_addresses"
        case rows
        case status
    }
}
