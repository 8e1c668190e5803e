extension UnkeyedContainer {
    mutating func decode(_ type: Bool.Type) throws -> Bool {
        let value = try state.bool(at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: String.Type) throws -> String {
        let value = try state.string(at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        let value = try state.double(at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        let value = try state.float(at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int.Type) throws -> Int {
        let value = try state.integer(Int.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        let value = try state.integer(Int8.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        let value = try state.integer(Int16.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        let value = try state.integer(Int32.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        let value = try state.integer(Int64.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt.Type) throws -> UInt {
        let value = try state.integer(UInt.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        let value = try state.integer(UInt8.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        let value = try state.integer(UInt16.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        let value = try state.integer(UInt32.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        let value = try state.integer(UInt64.self, at: next(type), in: array)
        advance()
        return value
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        let value = try state.integer(Int128.self, at: next(type), in: array)
        advance()
        return value
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        let value = try state.integer(UInt128.self, at: next(type), in: array)
        advance()
        return value
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try state.decode(type, at: next(type), in: array)
        advance()
        return value
    }
}
