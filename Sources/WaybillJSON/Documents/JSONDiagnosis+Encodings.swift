import WaybillSystem

extension JSONDiagnosis {
    /// Creates the diagnosis of any decoder's error, in a document that is UTF-8, UTF-16 or UTF-32.
    package init(of error: DecodingError, inEncoded document: Data) {
        self.init(of: error, in: JSONSource(data: (try? DocumentReader.utf8(of: document)) ?? document))
    }
}

extension JSONText {
    /// Whether bytes begin as an object or an array of JSON, whatever their media type is: up to the first key or
    /// element, within the first 512 bytes.
    ///
    /// A string or a number does not tell JSON from another text.
    package static func isContainer(_ data: Data) -> Bool {
        let beginning = data.prefix(512)
        let text = JSONText((try? DocumentReader.utf8(of: beginning)) ?? beginning)
        var tokens = text.tokens
        do throws(JSONSyntaxError) {
            guard let first = try tokens.next(), first.kind == .beginObject || first.kind == .beginArray else {
                return false
            }
            _ = try tokens.next()
            return true
        } catch {
            // The first key may be longer.
            return tokens.depth > 0 && error.offset >= text.bytes.count
        }
    }
}
