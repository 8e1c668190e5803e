import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String
}

private struct ShopProblem: ResponseContent {
    let message: String
}

private enum Compared {
    struct Shop: API {
        let client: Client

        init(_ url: URL, token: String, transport: some Transport = .default) {
            client = Client(url, transport: transport) {
                Authorization(.bearer(token))
                Problem(ShopProblem.self)
            }
        }

        var products: Resource<Product, ReadOnly> { resource("products") }
    }
}

private typealias Shop = Compared.Shop

private struct PhotoShop: API {
    let client: Client

    func upload(_ photo: URL) -> Endpoint<Void> {
        endpoint {
            POST("photos")
            Multipart { Multipart.Part("photo", file: photo, contentType: "image/jpeg") }
        }
    }
}

private struct PagedShop: API {
    let client: Client

    var products: Resource<Product, ReadOnly> {
        resource("products") { Paginated(.pageNumber()) }
    }
}

@Suite("Comparison.md")
struct ComparisonSamples {
    private let url = Sample.url

    @Test("The product in Comparison.md is read, or the server's error is thrown") func read() async throws {
        let stub = StubTransport([
            "GET products/7": .json(#"{"id":7,"name":"Lamp"}"#),
            "GET products/{}": .json(#"{"message":"sold out"}"#, status: 410),
        ])
        let shop = Shop(url, token: "open", transport: stub)
        let product = try await shop.products.read(7)
        #expect(product.name == "Lamp")
        let error = await Sample.failure { try await shop.products.read(8) }
        #expect(error?.problem(as: ShopProblem.self)?.message == "sold out")
    }

    @Test("The pages in Comparison.md are read until one is empty") func pages() async throws {
        let stub = StubTransport([
            "GET products": .response { request in
                .json(request.query("page") == "2" ? "[]" : #"[{"id":7,"name":"Lamp"}]"#)
            }
        ])
        let shop = PagedShop(client: Client(url, transport: stub))
        for try await product in shop.products.all { print(product.name) }
        #expect(stub.requests.map { $0.query("page") } == ["1", "2"])
    }

    @Test("The photo in Comparison.md is sent in a form with progress") func upload() async throws {
        let photo = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jpg")
        try Data("photo".utf8).write(to: photo)
        defer { try? FileManager.default.removeItem(at: photo) }
        let stub = StubTransport(["POST photos": .status(201)])
        let shop = PhotoShop(client: Client(url, transport: stub))
        var shown: [Double] = []
        func show(_ fraction: Double) { shown.append(fraction) }
        let control = TransferControl()
        async let upload: Void = shop.upload(photo).send(controlledBy: control)
        for await progress in control.progress { show(progress.fractionSent ?? 0) }
        try await upload
        #expect(stub.requests.first?.text.contains("name=\"photo\"") == true)
        #expect(shown.allSatisfy { (0...1).contains($0) })
    }

    @Test("The test in Comparison.md passes") func test() async throws {
        let stub = StubTransport(["GET products/{}": .json(#"{"id":7,"name":"Lamp"}"#)])
        let shop = Shop(url, token: "open", transport: stub)
        let lamp = try await shop.products.read(7)
        #expect(lamp.name == "Lamp")
        #expect(stub.requests.first?.headerFields[.authorization] == "Bearer open")
    }

    @Test("The line counts in Comparison.md match the samples")
    func lines() throws {
        let page = try Repository.page("Documentation/Start/Comparison.md")
        let libraries = ["Waybill", "Alamofire", "Get", "Moya", "swift-openapi-generator", "AsyncHTTPClient"]
        let rows = page.rows(ofTableUnder: "Task")
        #expect(rows.count == 4)
        for row in rows {
            let title = String(try #require(row[0].firstMatch(of: /\[(.+)\]/)).output.1)
            let section = try #require(page.text.components(separatedBy: "\n## \(title)\n").last)
                .components(separatedBy: "\n## ")[0]
            var counts: [String: Int] = [:]
            for part in section.components(separatedBy: "\n**").dropFirst() {
                let library = String(part.prefix { $0 != "*" })
                let blocks = part.components(separatedBy: "```swift\n").dropFirst()
                    .map { $0.components(separatedBy: "```")[0] }
                counts[library, default: 0] += blocks.joined().split(separator: "\n").count {
                    !$0.allSatisfy(\.isWhitespace)
                }
                // The page shows the class once and counts it for both libraries.
                if let stub = blocks.first(where: { $0.contains("URLProtocol") }) {
                    counts["Get", default: 0] += stub.split(separator: "\n").count
                }
            }
            let cells = zip(libraries, row.dropFirst()).map { library, cell in counts[library].map(String.init) ?? cell
            }
            #expect(cells == Array(row.dropFirst()), "\(title)")
            #expect(counts.count >= 3, "\(title)")
        }
    }
}

/// The samples of other libraries in Comparison.md, which are not compiled here.
nonisolated enum OtherLibraries {
    static let samples = [
        ##"""
        struct Shop: Sendable {
            let url: URL
            let token: String
            var session = Session.default

            func get<Value: Decodable & Sendable>(_ path: String, _ query: [String: Int] = [:]) async throws -> Value {
                let response = await session.request(
                    url.appendingPathComponent(path),
                    parameters: query,
                    headers: [.authorization(bearerToken: token)]
                )
                .validate()
                .serializingDecodable(Value.self)
                .response
                if let data = response.data, response.error?.isResponseValidationError == true {
                    throw try JSONDecoder().decode(ShopProblem.self, from: data)
                }
                return try response.result.get()
            }

            func product(_ id: Int) async throws -> Product { try await get("products/\(id)") }
        }
        """##,
        ##"""
        let product = try await shop.product(7)
        """##,
        ##"""
        struct ShopDelegate: APIClientDelegate {
            let token: String

            func client(_ client: APIClient, willSendRequest request: inout URLRequest) async throws {
                request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            }

            func client(
                _ client: APIClient,
                validateResponse response: HTTPURLResponse,
                data: Data,
                task: URLSessionTask
            ) throws {
                guard !(200..<300).contains(response.statusCode) else { return }
                throw try JSONDecoder().decode(ShopProblem.self, from: data)
            }
        }

        struct Shop {
            let client: APIClient

            init(_ url: URL, token: String, configuration: URLSessionConfiguration = .default) {
                client = APIClient(baseURL: url) {
                    $0.delegate = ShopDelegate(token: token)
                    $0.sessionConfiguration = configuration
                }
            }

            func product(_ id: Int) -> Request<Product> { Request(path: "/products/\(id)") }
        }
        """##,
        ##"""
        let product = try await shop.client.send(shop.product(7)).value
        """##,
        ##"""
        enum Shop: TargetType, AccessTokenAuthorizable {
            case product(Int)

            var baseURL: URL { URL(string: "https://shop.example")! }
            var path: String {
                switch self {
                case .product(let id): "products/\(id)"
                }
            }
            var method: Moya.Method { .get }
            var task: Moya.Task { .requestPlain }
            var headers: [String: String]? { nil }
            var authorizationType: AuthorizationType? { .bearer }
        }
        """##,
        ##"""
        let provider = MoyaProvider<Shop>(plugins: [AccessTokenPlugin { _ in token }])
        provider.request(.product(7)) { result in
            completion(
                Result {
                    let response = try result.get()
                    guard (200..<300).contains(response.statusCode) else { throw try response.map(ShopProblem.self) }
                    return try response.map(Product.self)
                }
            )
        }
        """##,
        ##"""
        struct TokenMiddleware: ClientMiddleware {
            let token: String

            func intercept(
                _ request: HTTPRequest,
                body: HTTPBody?,
                baseURL: URL,
                operationID: String,
                next: @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
            ) async throws -> (HTTPResponse, HTTPBody?) {
                var request = request
                request.headerFields[.authorization] = "Bearer \(token)"
                return try await next(request, body, baseURL)
            }
        }
        """##,
        ##"""
        let shop = Client(serverURL: url, transport: transport, middlewares: [TokenMiddleware(token: token)])
        let product: Components.Schemas.Product
        switch try await shop.readProduct(path: .init(id: 7)) {
        case .ok(let response): product = try response.body.json
        case .default(_, let response): throw Failure(problem: try response.body.json)
        }
        """##,
        ##"""
        struct Shop {
            let url: String
            let token: String
            var client = HTTPClient.shared

            func get<Value: Decodable>(_ path: String) async throws -> Value {
                var request = HTTPClientRequest(url: "\(url)/\(path)")
                request.headers.add(name: "Authorization", value: "Bearer \(token)")
                let response = try await client.execute(request, timeout: .seconds(60))
                let body = try await response.body.collect(upTo: 1_000_000)
                guard (200..<300).contains(response.status.code) else {
                    throw try JSONDecoder().decode(ShopProblem.self, from: body)
                }
                return try JSONDecoder().decode(Value.self, from: body)
            }

            func product(_ id: Int) async throws -> Product { try await get("products/\(id)") }
        }
        """##,
        ##"""
        let product = try await shop.product(7)
        """##,
        ##"""
        func products(page: Int) async throws -> [Product] { try await get("products", ["page": page]) }
        """##,
        ##"""
        var page = 1
        while case let products = try await shop.products(page: page), !products.isEmpty {
            for product in products { print(product.name) }
            page += 1
        }
        """##,
        ##"""
        func products(page: Int) -> Request<[Product]> { Request(path: "/products", query: [("page", "\(page)")]) }
        """##,
        ##"""
        var page = 1
        while case let products = try await shop.client.send(shop.products(page: page)).value, !products.isEmpty {
            for product in products { print(product.name) }
            page += 1
        }
        """##,
        ##"""
        case products(page: Int)

        var path: String {
            switch self {
            case .product(let id): "products/\(id)"
            case .products: "products"
            }
        }
        var task: Moya.Task {
            switch self {
            case .product: .requestPlain
            case .products(let page): .requestParameters(parameters: ["page": page], encoding: URLEncoding.queryString)
            }
        }
        """##,
        ##"""
        func printAll(from page: Int = 1) {
            provider.request(.products(page: page)) { result in
                guard let products = try? result.get().map([Product].self), !products.isEmpty else { return }
                for product in products { print(product.name) }
                printAll(from: page + 1)
            }
        }
        """##,
        ##"""
        var page = 1
        while case let products = try await shop.listProducts(query: .init(page: page)).ok.body.json, !products.isEmpty {
            for product in products { print(product.name) }
            page += 1
        }
        """##,
        ##"""
        func products(page: Int) async throws -> [Product] { try await get("products?page=\(page)") }
        """##,
        ##"""
        var page = 1
        while case let products = try await shop.products(page: page), !products.isEmpty {
            for product in products { print(product.name) }
            page += 1
        }
        """##,
        ##"""
        final class Stub: URLProtocol {
            nonisolated(unsafe) static var body = Data()
            nonisolated(unsafe) static var requests: [URLRequest] = []

            override static func canInit(with request: URLRequest) -> Bool { true }
            override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }
            override func stopLoading() {}
            override func startLoading() {
                Self.requests.append(request)
                let response = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: nil)!
                client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
                client?.urlProtocol(self, didLoad: Self.body)
                client?.urlProtocolDidFinishLoading(self)
            }
        }
        """##,
        ##"""
        Stub.body = Data(#"{"id":7,"name":"Lamp"}"#.utf8)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Stub.self]
        let shop = Shop(url: url, token: "open", session: Session(configuration: configuration))
        let lamp = try await shop.product(7)
        #expect(lamp.name == "Lamp")
        #expect(Stub.requests.first?.value(forHTTPHeaderField: "Authorization") == "Bearer open")
        """##,
        ##"""
        Stub.body = Data(#"{"id":7,"name":"Lamp"}"#.utf8)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Stub.self]
        let shop = Shop(url, token: "open", configuration: configuration)
        let lamp = try await shop.client.send(shop.product(7)).value
        #expect(lamp.name == "Lamp")
        #expect(Stub.requests.first?.value(forHTTPHeaderField: "Authorization") == "Bearer open")
        """##,
        ##"""
        var sampleData: Data { Data(#"{"id":7,"name":"Lamp"}"#.utf8) }
        """##,
        ##"""
        let plugin = AccessTokenPlugin { _ in "open" }
        let provider = MoyaProvider<Shop>(stubClosure: MoyaProvider.immediatelyStub, plugins: [plugin])
        provider.request(.product(7)) { result in
            #expect(throws: Never.self) {
                let response = try result.get()
                #expect(try response.map(Product.self).name == "Lamp")
                #expect(response.request?.value(forHTTPHeaderField: "Authorization") == "Bearer open")
            }
        }
        """##,
        ##"""
        struct Stub: ClientTransport {
            func send(
                _ request: HTTPRequest,
                body: HTTPBody?,
                baseURL: URL,
                operationID: String
            ) async throws -> (HTTPResponse, HTTPBody?) {
                #expect(request.headerFields[.authorization] == "Bearer open")
                let response = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
                return (response, #"{"id":7,"name":"Lamp"}"#)
            }
        }
        """##,
        ##"""
        let shop = Client(serverURL: url, transport: Stub(), middlewares: [TokenMiddleware(token: "open")])
        let lamp = try await shop.readProduct(path: .init(id: 7)).ok.body.json
        #expect(lamp.name == "Lamp")
        """##,
        ##"""
        func upload(_ photo: URL, show: @escaping @Sendable (Double) -> Void) async throws {
            let upload = session.upload(
                multipartFormData: { $0.append(photo, withName: "photo") },
                to: url.appendingPathComponent("photos"),
                headers: [.authorization(bearerToken: token)]
            )
            _ = try await upload.uploadProgress { show($0.fractionCompleted) }.validate()
                .serializingData(emptyResponseCodes: [201]).value
        }
        """##,
        ##"""
        try await shop.upload(photo) { show($0) }
        """##,
        ##"""
        case upload(URL)

        var path: String {
            switch self {
            case .product(let id): "products/\(id)"
            case .upload: "photos"
            }
        }
        var method: Moya.Method {
            switch self {
            case .product: .get
            case .upload: .post
            }
        }
        var task: Moya.Task {
            switch self {
            case .product: .requestPlain
            case .upload(let photo): .uploadMultipart([MultipartFormData(provider: .file(photo), name: "photo")])
            }
        }
        """##,
        ##"""
        provider.request(.upload(photo), progress: { show($0.progress) }) { result in
            completion(result.map { _ in })
        }
        """##,
    ]
}
