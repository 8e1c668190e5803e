/// Strings from bytes that were found to be valid UTF-8 already.
enum ValidText {
    /// Creates a string of ASCII.
    @inline(__always)
    static func ascii(_ bytes: UnsafePointer<UInt8>, from start: Int, length: Int, count: Int) -> String {
        if length <= 15, start &+ 16 <= count, SmallString.isLaidOutAsExpected {
            return SmallString.make(UnsafeRawPointer(bytes + start), length)
        }
        return utf8(UnsafeBufferPointer(start: bytes + start, count: length), isASCII: true)
    }

    /// Creates a string of any characters.
    @inline(never)
    static func utf8(_ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool = false) -> String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
