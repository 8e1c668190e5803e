import Foundation

/// Stands in for the decoder until it is there.
typealias WaybillJSONDecoder = JSONDecoder

let aDecoderStandsIn = true

extension JSONDecoder {
    /// Foundation's decoder has a depth of 512, and no other.
    convenience init(maximumDepth: Int) { self.init() }
}
