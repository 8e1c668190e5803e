import Foundation
import Testing
import Waybill

@Suite("Docker Registry", .running(.registry))
struct RegistryTests {
    /// A layer in two parts, and its digest.
    static let layer = [Data("waybill".utf8), Data(" layer".utf8)]
    static let layerDigest = "sha256:0be166314a5ed47c8bd1579d52d31b15a2be0f43b5a774f07d545c3e902236b8"

    /// An empty configuration, and its digest.
    static let config = Data("{}".utf8)
    static let configDigest = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"

    static let manifest = RegistryAPI.Manifest(
        config: .init(mediaType: "application/vnd.docker.container.image.v1+json", size: 2, digest: configDigest),
        layers: [
            .init(mediaType: "application/vnd.docker.image.rootfs.diff.tar.gzip", size: 13, digest: layerDigest)
        ]
    )

    /// Returns the name of a repository that no other test uses.
    ///
    /// The server never forgets a name. This one sorts after the seeded names.
    static func repository() -> [String] { ["waybill", uniqueName(), "web"] }

    @Test("Relative links paginate through the registry's catalog", arguments: TransportUnderTest.all)
    func catalog(over transport: TransportUnderTest) async throws {
        let catalog = RegistryAPI(over: transport).catalog(pageSize: 4)
        let first = try await catalog.page()
        #expect(first.items == ["app00", "app01", "app02", "app03"])
        let names = try await catalog.all.collect(upTo: 10)
        #expect(names == (0..<10).map { "app0\($0)" })
        let next = try #require(first.next)
        let rest = try await catalog.all(from: next).collect(upTo: 6)
        #expect(rest == Array(names.dropFirst(4)))
    }

    @Test("An image is pushed to the registry, pulled and deleted", arguments: TransportUnderTest.all)
    func image(over transport: TransportUnderTest) async throws {
        let registry = RegistryAPI(over: transport)
        let repository = Self.repository()
        try await registry.upload(Self.layer, digest: Self.layerDigest, to: repository)
        try await registry.upload([Self.config], digest: Self.configDigest, to: repository)

        let put = try await registry.put(Self.manifest, as: "latest", in: repository).response()
        #expect(put.status == 201)
        let digest = try #require(put.headerFields["Docker-Content-Digest"])
        #expect(try await registry.tags(of: repository).send() == ["latest"])

        let pulled = try await registry.manifest("latest", of: repository).response()
        #expect(pulled.value == Self.manifest)
        #expect(pulled.headerFields[.eTag] == "\"\(digest)\"")
        let unchanged = try await registry.manifest("latest", of: repository, unless: digest).response()
        #expect(unchanged.status == 304)
        #expect(unchanged.value == nil)

        let layer = try #require(pulled.value?.layers.first)
        #expect(try await registry.blob(layer.digest, of: repository).send() == Data("waybill layer".utf8))

        let deletion = try await registry.deleteManifest(digest, of: repository).response()
        #expect(deletion.status == 202)
        let gone = try await failure(registry.manifest("latest", of: repository).send)
        #expect(gone.isNotFound)
        #expect(gone.problem(as: [RegistryProblem].self)?.map(\.code) == ["MANIFEST_UNKNOWN"])
        #expect(try await registry.tags(of: repository).send() == nil)
    }

    @Test("An upload to the registry continues at the Location of each response", arguments: TransportUnderTest.all)
    func upload(over transport: TransportUnderTest) async throws {
        let registry = RegistryAPI(over: transport)
        let repository = Self.repository()
        let start = try await registry.startUpload(to: repository).response()
        #expect(start.status == 202)
        let first = try #require(start.url(in: .location))

        let append = registry.append(Data("waybill".utf8), at: first)
        let appended = try await append.response()
        #expect(appended.status == 202)
        #expect(appended.headerFields[.range] == "0-6")
        #expect(try append.template == "{url}")

        let second = try #require(appended.url(in: .location))
        let wrong = try await statusFailure(registry.finishUpload(at: second, digest: Self.layerDigest).send)
        #expect(wrong.status == 400)
        #expect(wrong.problem(as: [RegistryProblem].self)?.map(\.code) == ["DIGEST_INVALID"])
    }

    @Test("Canceling an upload to the registry deletes it", arguments: TransportUnderTest.all)
    func cancelledUpload(over transport: TransportUnderTest) async throws {
        let registry = RegistryAPI(over: transport)
        let location = try #require(try await registry.startUpload(to: Self.repository()).response().url(in: .location))
        try await registry.cancelUpload(at: location).send()
        let failure = try await failure(registry.append(Data("late".utf8), at: location).send)
        #expect(failure.isNotFound)
        #expect(failure.problem(as: [RegistryProblem].self)?.map(\.code) == ["BLOB_UPLOAD_UNKNOWN"])
    }

    @Test("HEAD returns the length of a registry blob, and 404 after its deletion", arguments: TransportUnderTest.all)
    func blobs(over transport: TransportUnderTest) async throws {
        let registry = RegistryAPI(over: transport)
        let repository = Self.repository()
        try await registry.upload(Self.layer, digest: Self.layerDigest, to: repository)
        let head = try await registry.blobHead(Self.layerDigest, of: repository).response()
        #expect(head.headerFields[.contentLength] == "13")
        #expect(head.body.isEmpty)

        try await registry.deleteBlob(Self.layerDigest, of: repository).send()
        let failure = try await failure(registry.blobHead(Self.layerDigest, of: repository).send)
        #expect(failure.isNotFound)
    }

    @Test("Registry failures contain typed problems", arguments: TransportUnderTest.all)
    func problems(over transport: TransportUnderTest) async throws {
        let registry = RegistryAPI(over: transport)
        let unknown = try await failure(registry.tags(of: ["none", "such"]).send)
        #expect(unknown.isNotFound)
        let problems = try #require(unknown.problem(as: [RegistryProblem].self))
        #expect(problems.map(\.code) == ["NAME_UNKNOWN"])
        #expect(problems.first?.detail?["name"] == "none/such")

        let invalid: Endpoint<Void> = registry.endpoint {
            PUT("\(segments: Self.repository())/manifests/latest")
            Header(.contentType, RegistryAPI.manifestType)
            Body([String: String]())
        }
        let rejected = try await statusFailure(invalid.send)
        #expect(rejected.status == 400)
        #expect(rejected.problem(as: [RegistryProblem].self)?.map(\.code) == ["MANIFEST_INVALID"])
    }

    @Test("A registry failure in plain text has no problem and keeps its body", arguments: TransportUnderTest.all)
    func plainText(over transport: TransportUnderTest) async throws {
        let nowhere: Endpoint<JSONValue> = RegistryAPI(over: transport).endpoint { GET("nowhere") }
        let failure = try await statusFailure(nowhere.send)
        #expect(failure.isNotFound)
        #expect(failure.problem == nil)
        #expect(failure.body == Data("404 page not found\n".utf8))
    }

    @Test(
        "A repository name with an unsafe segment is not sent",
        arguments: [["..", "secret"], ["app", ""], []]
    )
    func dangerousNames(_ repository: [String]) async throws {
        let endpoint = RegistryAPI(Server.registry.url).tags(of: repository)
        guard case .request = try await failure(endpoint.send) else {
            Issue.record("the request was sent")
            return
        }
    }
}

extension RegistryAPI {
    init(over transport: TransportUnderTest) { self.init(Server.registry.url, transport: transport.transport) }
}
