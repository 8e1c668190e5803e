/// The failure of a side value, with its type.
package struct ExtraFailure: Error {
    package let typeName: String
    package let underlying: any Error

    static func naming<Value, Result>(_ type: Value.Type, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch {
            throw ExtraFailure(typeName: "\(type)", underlying: error)
        }
    }
}
