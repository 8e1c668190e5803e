// What Waybill uses of Compression.

import Foundation

// developer.apple.com/documentation/compression/filteroperation
@available(macOS 10.15, *)
public enum FilterOperation { case compress, decompress }

// developer.apple.com/documentation/compression/algorithm
@available(macOS 10.15, *)
public enum Algorithm {
    case lz4, zlib, lzma, lzfse
    @available(macOS 12, *)
    case brotli
}

// developer.apple.com/documentation/compression/outputfilter
@available(macOS 10.15, *)
public class OutputFilter {
    public init(
        _ operation: FilterOperation,
        using algorithm: Algorithm,
        bufferCapacity: Int = 65_536,
        writingTo writeFunction: @escaping (Data?) throws -> Void
    ) throws {}

    public func write<D: DataProtocol>(_ data: D?) throws {}

    public func finalize() throws {}
}

// developer.apple.com/documentation/compression/inputfilter
@available(macOS 10.15, *)
public class InputFilter<BufferType: DataProtocol> {
    public init(
        _ operation: FilterOperation,
        using algorithm: Algorithm,
        bufferCapacity: Int = 65_536,
        readingFrom readFunction: @escaping (Int) throws -> BufferType?
    ) throws {}

    public func readData(ofLength length: Int) throws -> Data? { nil }
}
