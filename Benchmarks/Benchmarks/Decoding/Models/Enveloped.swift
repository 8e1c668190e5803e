/// A value in a typical response envelope.
struct Enveloped<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    let data: Value
    let meta: Meta

    struct Meta: Codable, Hashable, Sendable {
        let page: Int
        let perPage: Int
        let total: Int
        let requestID: String

        enum CodingKeys: String, CodingKey {
            case page
            case perPage = "per_page"
            case total
            case requestID = "request_id"
        }
    }
}
