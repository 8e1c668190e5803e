import Foundation
import Waybill

/// The API of a container registry: repositories, their tags, and the blobs that make up their images.
///
/// A repository name consists of several path segments: `["library", "nginx"]`.
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

    /// Returns a repository's tags; the value at the key is null if the repository has no tags.
    func tags(of repository: [String]) -> Endpoint<[String]?> {
        endpoint {
            GET("\(segments: repository)/tags/list")
            Envelope("tags")
        }
    }
}

// Manifests: what tags refer to.
extension RegistryAPI {
    static let manifestType = "application/vnd.docker.distribution.manifest.v2+json"

    /// Returns the manifest for a tag or digest; nil if its digest is still `digest`.
    func manifest(_ reference: String, of repository: [String], unless digest: String? = nil) -> Endpoint<Manifest?> {
        endpoint {
            GET("\(segments: repository)/manifests/\(reference)")
            Header(.accept, Self.manifestType)
            Header(.ifNoneMatch, digest.map { "\"\($0)\"" })
            Success(.success, 304)
        }
    }

    /// Puts a manifest under a tag; the response contains its digest in `Docker-Content-Digest`.
    func put(_ manifest: Manifest, as tag: String, in repository: [String]) -> Endpoint<Void> {
        endpoint {
            PUT("\(segments: repository)/manifests/\(tag)")
            Header(.contentType, Self.manifestType)
            Body(manifest)
        }
    }

    /// Deletes a manifest and all tags that refer to it.
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

    /// Returns a blob's header fields: whether the blob exists, and its length.
    func blobHead(_ digest: String, of repository: [String]) -> Endpoint<Void> {
        endpoint { HEAD("\(segments: repository)/blobs/\(digest)") }
    }

    func deleteBlob(_ digest: String, of repository: [String]) -> Endpoint<Void> {
        endpoint { DELETE("\(segments: repository)/blobs/\(digest)") }
    }

    /// Starts an upload, which continues at the `Location` of the response.
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

    /// Completes an upload if the received bytes match the digest.
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
    /// The location where an upload continues.
    fileprivate var uploadLocation: URL {
        get throws {
            guard let location = url(in: .location) else { throw URLError(.badServerResponse) }
            return location
        }
    }
}

extension RegistryAPI {
    /// The list of an image's blobs.
    struct Manifest: Codable, Sendable, Equatable {
        var schemaVersion = 2
        var mediaType = RegistryAPI.manifestType
        var config: Content
        var layers: [Content]
    }

    /// A blob, identified by its digest.
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
