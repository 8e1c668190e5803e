#if !canImport(FoundationEssentials)
    import Foundation
#endif

/// User-facing error sentences, for alerts rather than logs.
///
/// They contain no URL, no path template and no part of the request. An app can translate or replace them in a strings
/// table; see `APIError.errorDescription`.
package enum ErrorSentence: String, CaseIterable, Sendable {
    case busyServer = "The server is busy. Try again later."
    case cannotBeReached = "The server cannot be reached."
    case cancelled = "The request was cancelled."
    case changedMeanwhile = "This was changed in the meantime. Load it again and repeat your change."
    case conflict = "The change conflicts with another one."
    case connectionLost = "The connection to the server was lost."
    case failed = "The request failed."
    case failedItem = "The change failed for this item."
    case failedItems = "The change failed for some items."
    case incompleteList = "The list could not be loaded completely."
    case incompleteUpload = "The upload could not be completed."
    case notAllowed = "You are not allowed to do this."
    case notConnected = "There is no network connection."
    case notFound = "This item does not exist."
    case notMade = "The request could not be made."
    case notOffline = "This is not available offline."
    case notSaved = "The file could not be saved."
    case notSent = "Some changes have not been sent yet."
    case notSignedIn = "You are not signed in."
    case rejected = "The server rejected the request."
    case reportedError = "The server reported an error."
    case secureConnection = "A secure connection to the server could not be established."
    case serverFault = "The server has a problem. Try again later."
    case tooLargeRequest = "The request is too large for the server."
    case tooLargeResponse = "The server's response is too large."
    case tooManyRequests = "There were too many requests. Try again later."
    case tooSlow = "The server took too long to respond."
    case unavailableServer = "The server is not available. Try again later."
    case unreadableResponse = "The server's response could not be read."
    case unusableCache = "The stored data cannot be used."

    /// The strings table that contains the translations.
    private static var table: String { "Waybill" }

    /// The sentence, localized by the app's main bundle.
    ///
    /// The English sentence is the key in the table. Only Apple platforms support translations: elsewhere, `Bundle`
    /// requires all of Foundation.
    package var text: String {
        #if canImport(FoundationEssentials)
            rawValue
        #else
            text(in: .main)
        #endif
    }

    #if !canImport(FoundationEssentials)
        /// Returns the sentence as localized by a bundle, or in English if the bundle's table does not contain it.
        package func text(in bundle: Bundle) -> String {
            bundle.localizedString(forKey: rawValue, value: rawValue, table: Self.table)
        }
    #endif
}
