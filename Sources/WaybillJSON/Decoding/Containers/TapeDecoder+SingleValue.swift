extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { state.isNull(index) }

    func decode(_ type: Bool.Type) throws -> Bool { try state.bool(at: index, in: container) }

    func decode(_ type: String.Type) throws -> String { try state.string(at: index, in: container) }

    func decode(_ type: Double.Type) throws -> Double { try state.double(at: index, in: container) }

    func decode(_ type: Float.Type) throws -> Float { try state.float(at: index, in: container) }

    func decode(_ type: Int.Type) throws -> Int { try state.integer(Int.self, at: index, in: container) }

    func decode(_ type: Int8.Type) throws -> Int8 { try state.integer(Int8.self, at: index, in: container) }

    func decode(_ type: Int16.Type) throws -> Int16 { try state.integer(Int16.self, at: index, in: container) }

    func decode(_ type: Int32.Type) throws -> Int32 { try state.integer(Int32.self, at: index, in: container) }

    func decode(_ type: Int64.Type) throws -> Int64 { try state.integer(Int64.self, at: index, in: container) }

    func decode(_ type: UInt.Type) throws -> UInt { try state.integer(UInt.self, at: index, in: container) }

    func decode(_ type: UInt8.Type) throws -> UInt8 { try state.integer(UInt8.self, at: index, in: container) }

    func decode(_ type: UInt16.Type) throws -> UInt16 { try state.integer(UInt16.self, at: index, in: container) }

    func decode(_ type: UInt32.Type) throws -> UInt32 { try state.integer(UInt32.self, at: index, in: container) }

    func decode(_ type: UInt64.Type) throws -> UInt64 { try state.integer(UInt64.self, at: index, in: container) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try state.integer(Int128.self, at: index, in: container) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try state.integer(UInt128.self, at: index, in: container) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try state.decode(type, at: index, in: container)
    }
}
