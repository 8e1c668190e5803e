import WaybillJSON

/// The text of an encoder's error, for a declaration error.
enum EncodingReason {
    static func text(of error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
        let path = CodingPathText.text(of: context.codingPath)
        return path.isEmpty || context.debugDescription.hasPrefix(path)
            ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
}
