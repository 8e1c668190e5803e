import Waybill

extension HTTPFields {
    /// The value of a field by the text of its name.
    subscript(name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}
