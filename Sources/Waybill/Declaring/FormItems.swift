import Foundation

/// Flattens an `Encodable` into the items of a query or a form.
package enum FormItems {
    static func items(of value: any Encodable, arrays: ArrayStyle, dates: DateText) throws -> [QueryItem] { [] }
}
