/// An error of the system's URL loading, such as `URLError`, whose texts contain URLs.
///
/// The module of `URLSession` makes `URLError` conform, because a program without that module does not have the type.
package protocol URLLoadingError: Error {
    /// Returns the error without the secrets of a call.
    func redacted(by secrets: SecretNameSet) -> any Error
}
