// What the samples use of CryptoKit.

import Foundation

// developer.apple.com/documentation/cryptokit/sha256
public struct SHA256: Sendable {
    public static func hash(data: some DataProtocol) -> SHA256Digest { SHA256Digest() }
}

// developer.apple.com/documentation/cryptokit/sha256digest
public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
