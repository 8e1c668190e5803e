/// The declarations that samples in doc comments use.
enum DocCommentFixture {
    /// The file that all samples share.
    static let file = """
        import Foundation
        import Waybill
        import WaybillBenchmarking
        import WaybillCaching
        import WaybillDescription
        import WaybillJSON
        import WaybillLimits
        import WaybillOperations
        import WaybillSessions
        import WaybillTesting
        import WaybillTransfers

        struct Product: Entity {
            let id: Int
            var name: String
            var price: Decimal?
            struct Draft: RequestContent { var name: String }
        }

        struct User: Entity {
            let id: String
            var name: String
        }

        struct Message: JSONEntity {
            static let idKey = "message_id"
            var fields: [String: JSONValue]
            init(fields: [String: JSONValue]) { self.fields = fields }
        }

        struct Article: Entity { let id: Int }
        struct Review: Entity { let id: Int }
        struct Experiment: Entity { let id: Int }
        struct Item: ResponseContent { let id: Int }
        struct Meta: ResponseContent { let total: Int }
        struct Profile: Representation { var name: String }
        struct Report: ResponseContent { let id: Int }
        struct Basket: ResponseContent { let products: [Int] }
        struct Filter: RequestContent { var min: Int? }
        struct Login: RequestContent { var user: String }
        struct Grant: ResponseContent {
            let accessToken: String
            let expiresIn: Int
        }

        struct MatrixError: ResponseContent { let code: String }
        struct ShopProblem: ResponseContent { let message: String }
        struct HouseProblem: ResponseContent { let message: String }
        struct ItemProblem: ResponseContent { let message: String }
        struct ValidationProblem: ResponseContent { let message: String }
        struct SlackProblem: ResponseContent { let ok: Bool }
        struct ChainProblem: ResponseContent { let message: String }

        struct Shop: API {
            let client: Client
            init(_ url: URL, transport: some Transport = .default) { client = Client(url, transport: transport) }
            var products: Resource<Product, ReadWrite> { resource("products") }
            var users: Resource<User, ReadWrite> { resource("users") }
            var profile: Singleton<Profile, ReadWrite> { singleton("profile") }
            var basket: Singleton<Basket, ReadOnly> { singleton("basket") }
            var catalogue: Endpoint<[Product]> { endpoint { GET("catalogue") } }
            func search(_ text: String) -> Endpoint<[Product]> { endpoint { GET("products/search") } }
            func upload(_ photo: URL, title: String) -> Endpoint<Item> { endpoint { POST("photos") } }
            func makeReport(_ month: String) -> Endpoint<Report> { endpoint { POST("reports") } }
        }

        extension Shop: DescribedAPI {
            var calls: APIDescription { products }
        }

        struct Directory: API {
            let client: Client
            enum Access: Upsertable {}
            var users: Resource<User, Access> { resource("users") }
        }

        struct Auth: API {
            let client: Client
            func refresh(_ token: String) -> Endpoint<Grant> { endpoint { POST("token") } }
        }

        struct Tokens: Sendable { func current() async throws -> String { "" } }
        nonisolated struct FailureCounter: Sendable { func add(_ template: String, _ error: APIError) {} }
        struct UserAgent: Middleware {
            init(_ name: String) {}
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                try await next(request)
            }
        }
        struct TraceContext: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                try await next(request)
            }
        }
        nonisolated struct Logger: Sendable { func error(_ message: String) {} }
        nonisolated struct ProgressBar: Sendable { func update(_ fraction: Double) {} }
        nonisolated struct Blob: Sendable {
            let count = 0
            func chunks(from offset: Int) -> AsyncStream<Data> { AsyncStream { $0.finish() } }
        }
        nonisolated struct Checksum { mutating func update(_ chunk: Data) {} }

        // The parts of other modules that the samples use, declared as there.
        struct SymmetricKey: Sendable {}
        struct SHA256 {}
        nonisolated struct HMAC<Hash> {
            static func authenticationCode(for data: Data, using key: SymmetricKey) -> [UInt8] { [] }
        }
        struct HMACSigner: Signed.Signer {
            let key: SymmetricKey
            func sign(_ request: inout HTTPRequest, body: Data?) async throws {}
        }
        nonisolated struct YAMLDecoder {
            func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
                try JSONDecoder().decode(type, from: data)
            }
        }
        nonisolated func expect(_ condition: Bool) {}
        nonisolated func expect<Failure: Error>(throws type: Failure.Type, _ work: () async throws -> some Any) async {}

        struct Samples: API {
            let client: Client
            let url: URL
            let directory: URL
            let video: URL
            let file: URL
            let products: DecodingBenchmark
            let orders: DecodingBenchmark
            let order: Int
            let line: Int
            let photo: URL
            let photos: [URL]
            let title: String
            let stream: HTTPBody
            let blob: Blob
            let bar: ProgressBar
            let jar: CookieJar
            let png: Data
            let image: Data
            let data: Data
            let chunks: [Data]
            let shop: Shop
            let staff: Directory
            let auth: Auth
            let tokens: Tokens
            let saved: RefreshingToken.AccessToken
            let refreshToken: String
            let key: String
            let session: String
            let documents: [Product]
            let token: String
            let password: String
            let signingKey: SymmetricKey
            let cache: HTTPCache
            let control: TransferControl
            let clock: ManualClock
            let gate: Gate
            let failures: FailureCounter
            let transport: StubTransport
            let encoder: JSONEncoder
            let decoder: WaybillJSONDecoder
            let user: User
            let lamp: Product
            let rug: Product
            let review: Review
            let read: Response<Product>
            let draft: Product.Draft
            let login: Login
            let pairs: [(String, String)]
            let pinned: Set<Data>
            let logger: Logger
            let filter: Filter
            let id: String
            let text: String
            let limit: Int?
            let date: Date
            let tag: HTTPField.EntityTag
            let etag: String
            let requestID: String
            let item: URLQueryItem
            let cursor: Cursor
            var request: HTTPRequest {
                get { fatalError() }
                nonmutating set {}
            }
            let response: HTTPResponse
            let options: TransferOptions
            let metrics: TransferOptions.Report.Metrics
            var hash: Checksum {
                get { fatalError() }
                nonmutating set {}
            }
            let error: APIError
            let failure: APIError.StatusFailure
            let lost: APIError.LostUpdate
        }

        extension Samples {
            func show(_ product: Product) {}
            func show(_ products: [Product]) {}
            func show(_ message: String?) {}
            func showEmpty() {}
            func showOffline() {}
            func report(_ error: APIError) {}
            func index(_ product: Product) {}
            func save(_ cursor: Cursor?) {}
            func log(_ text: String) {}
            func greet(_ user: User) {}
            func show(_ user: User) {}
        }
        """
}
