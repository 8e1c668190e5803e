import Foundation

/// A response whose body has been read.
package struct Reply: Sendable {
    package let status: HTTPResponse.Status
    package let headerFields: HTTPFields
    package let url: URL
    package let body: Data
    package var trailerFields: HTTPFields = []
}
