import WaybillSystem

extension URL {
    /// The text of the URL without its fragment, which no request has (RFC 9110, section 7.1).
    package var textWithoutFragment: Substring {
        let text = absoluteString
        return text[..<(text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex)]
    }
}
