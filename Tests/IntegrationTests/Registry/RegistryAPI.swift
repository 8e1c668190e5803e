import Foundation
import Waybill

/// The API of a container registry: repositories, the tags in them, and the blobs that their images are made of.
///
/// A repository's name is several segments of a path: `["library", "nginx"]`.
struct RegistryAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Problem([RegistryProblem].self, at: "errors")
        }
    }

    /// Returns the names of the repositories, in alphabetical order.
    func catalog(pageSize: Int) -> Endpoint<[String]> {
        endpoint {
            GET("_catalog")
            Envelope("repositories")
            Paginated(.link(size: .query("n", pageSize)))
        }
    }

    /// Returns the tags of a repository; the key's value is null if the repository has no tags.
    func tags(of repository: [String]) -> Endpoint<[String]?> {
        endpoint {
            GET("\(segments: repository)/tags/list")
            Envelope("tags")
        }
    }
}

// Manifests: the content of tags.
extension RegistryAPI {
    static let manifestType = "application/vnd.docker.distribution.manifest.v2+json"

    /// Returns the manifest behind a tag or a digest, unless it is still the one with that digest.
    func manifest(_ reference: String, of repository: [String], unless digest: String? = nil) -> Endpoint<Manifest?> {
        endpoint {
            GET("\(segments: repository)/manifests/\(reference)")
            Header(.accept, Self.manifestType)
            Header(.ifNoneMatch, digest.map { "\"\($0)\"" })
            Success(.success, 304)
        }
    }

    /// Puts a manifest under a tag; the response names its digest in `Docker-Content-Digest`.
    func put(_ manifest: Manifest, as tag: String, in repository: [String]) -> Endpoint<Void> {
        endpoint {
            PUT("\(segments: repository)/manifests/\(tag)")
            Header(.contentType, Self.manifestType)
            Body(manifest)
        }
    }

    /// Deletes a manifest and the tags that stand for it.
    func deleteManifest(_ digest: String, of repository: [String]) -> Endpoint<Void> {
        endpoint { DELETE("\(segments: repository)/manifests/\(digest)") }
    }
}

// Blobs: the layers and the configuration of an image.
extension RegistryAPI {
    func blob(_ digest: String, of repository: [String]) -> Endpoint<Data> {
        endpoint {
            GET("\(segments: repository)/blobs/\(digest)")
            Header(.accept, "application/octet-stream")
        }
    }

    /// Returns the head of a blob, to see whether it is there and how long it is.
    func blobHead(_ digest: String, of repository: [String]) -> Endpoint<Void> {
        endpoint { HEAD("\(segments: repository)/blobs/\(digest)") }
    }

    func deleteBlob(_ digest: String, of repository: [String]) -> Endpoint<Void> {
        endpoint { DELETE("\(segments: repository)/blobs/\(digest)") }
    }

    /// Starts an upload, which goes on at the `Location` of the response.
    func startUpload(to repository: [String]) -> Endpoint<Void> {
        endpoint { POST("\(segments: repository)/blobs/uploads/") }
    }

    /// Sends a part of a blob to the location of the previous response.
    func append(_ bytes: Data, at location: URL) -> Endpoint<Void> {
        endpoint {
            PATCH(at: location)
            Body(bytes, contentType: "application/octet-stream")
        }
    }

    /// Ends an upload, if the received bytes match the digest.
    func finishUpload(at location: URL, digest: String) -> Endpoint<Void> {
        endpoint {
            PUT(at: location)
            Query("digest", digest)
        }
    }

    /// Cancels an upload.
    func cancelUpload(at location: URL) -> Endpoint<Void> {
        endpoint { DELETE(at: location) }
    }

    /// Uploads a blob in parts.
    func upload(_ parts: [Data], digest: String, to repository: [String]) async throws {
        var location = try await startUpload(to: repository).response().uploadLocation
        for part in parts { location = try await append(part, at: location).response().uploadLocation }
        try await finishUpload(at: location, digest: digest).send()
    }
}

extension Response {
    /// The location at which an upload goes on.
    fileprivate var uploadLocation: URL {
        get throws {
            guard let location = url(in: .location) else { throw URLError(.badServerResponse) }
            return location
        }
    }
}

extension RegistryAPI {
    /// The list of an image's parts.
    struct Manifest: Codable, Sendable, Equatable {
        var schemaVersion = 2
        var mediaType = RegistryAPI.manifestType
        var config: Content
        var layers: [Content]
    }

    /// A blob, by its digest.
    struct Content: Codable, Sendable, Equatable {
        var mediaType: String
        var size: Int
        var digest: String
    }
}

/// One of the errors of a failed response.
struct RegistryProblem: Decodable, Sendable {
    let code: String
    let message: String
    let detail: JSONValue?
}
