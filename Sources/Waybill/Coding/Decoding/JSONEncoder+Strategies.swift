import WaybillSystem

extension JSONEncoder {
    /// Returns an encoder with other strategies; those that are nil stay.
    package func applying(
        keys: KeyEncodingStrategy?,
        dates: DateEncodingStrategy?,
        data: DataEncodingStrategy?
    ) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = outputFormatting
        encoder.keyEncodingStrategy = keys ?? keyEncodingStrategy
        encoder.dateEncodingStrategy = dates ?? dateEncodingStrategy
        encoder.dataEncodingStrategy = data ?? dataEncodingStrategy
        encoder.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        encoder.userInfo = userInfo
        return encoder
    }
}
