// What the samples use of AuthenticationServices and of its views in SwiftUI.

import Foundation
import SwiftUI

// developer.apple.com/documentation/swiftui/environmentvalues/webauthenticationsession
extension EnvironmentValues {
    @available(macOS 13.3, iOS 16.4, watchOS 9.4, visionOS 1, *)
    @available(tvOS, unavailable)
    public var webAuthenticationSession: WebAuthenticationSession { fatalError() }
}

// developer.apple.com/documentation/authenticationservices/webauthenticationsession
@available(macOS 13.3, iOS 16.4, watchOS 9.4, visionOS 1, *)
@available(tvOS, unavailable)
@MainActor
public struct WebAuthenticationSession {
    public enum BrowserSession: Sendable { case ephemeral }

    public func authenticate(
        using url: URL,
        callbackURLScheme: String,
        preferredBrowserSession: BrowserSession? = nil
    ) async throws -> URL { url }
}

// developer.apple.com/documentation/authenticationservices/aswebauthenticationsessionerror
public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable { case canceledLogin = 1 }

    public let code: Code

    public static var canceledLogin: Code { .canceledLogin }
}

// As of the codes of each Error of Objective-C: developer.apple.com/documentation/swift/~=(_:_:)
public func ~= (code: ASWebAuthenticationSessionError.Code, error: any Error) -> Bool {
    (error as? ASWebAuthenticationSessionError)?.code == code
}
