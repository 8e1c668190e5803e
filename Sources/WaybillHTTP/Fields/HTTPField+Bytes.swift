extension HTTPField {
    /// Creates a field with the bytes of its value, which need not be UTF-8.
    ///
    /// ``value`` has all of them, and a copy of it is sent as the same bytes: a byte that is not part of valid UTF-8 is
    /// one of the private characters U+10FE80 to U+10FEFF in it. A control character becomes a space, as
    /// ``init(name:value:isSensitive:)`` says.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - bytes: the bytes of the value.
    ///   - isSensitive: whether texts redact the value.
    public init(name: Name, bytes: some Collection<UInt8>, isSensitive: Bool = false) {
        self.init(name: name, value: FieldText.text(of: bytes), isSensitive: isSensitive)
    }

    /// The bytes of the value, as they are sent and were received.
    public var bytes: [UInt8] { FieldText.bytes(of: value) }

    /// The value for people: if its bytes are not UTF-8, the text that they have in ISO 8859-1, otherwise the value.
    ///
    /// A name in the field of an old server is readable in this form. Send ``value`` back, not this text.
    public var latin1Value: String { FieldText.latin1(value) }
}
