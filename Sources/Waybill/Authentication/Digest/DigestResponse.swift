/// The response to a digest challenge: a proof that the client knows a password, without the password (RFC 7616,
/// section 3.4).
package struct DigestResponse {
    let user: String
    let password: String
    let method: String
    /// The target of the request: path and query of its URL.
    let target: String
    /// A random nonce of the client.
    let clientNonce: String

    package init(user: String, password: String, method: String, target: String, clientNonce: String) {
        self.user = user
        self.password = password
        self.method = method
        self.target = target
        self.clientNonce = clientNonce
    }

    /// Returns the value of the `Authorization` field.
    ///
    /// - Parameters:
    ///   - challenge: the challenge.
    ///   - count: the number of responses to the challenge, this one included.
    /// - Returns: the value of the field.
    package func value(for challenge: DigestChallenge, count: Int) -> String {
        let algorithm = challenge.algorithm
        let digits = String(UInt32(truncatingIfNeeded: count), radix: 16)
        let number = String(repeating: "0", count: 8 - digits.count) + digits
        var secret = algorithm.sum("\(user):\(challenge.realm):\(password)")
        if algorithm.isSession { secret = algorithm.sum("\(secret):\(challenge.nonce):\(clientNonce)") }
        let request = algorithm.sum("\(method):\(target)")
        let between =
            challenge.hasQuality ? "\(challenge.nonce):\(number):\(clientNonce):auth" : challenge.nonce
        let response = algorithm.sum("\(secret):\(between):\(request)")

        var parts = [
            userParameter, "realm=\(quoted(challenge.realm))", "nonce=\(quoted(challenge.nonce))",
            "uri=\(quoted(target))", "response=\"\(response)\"",
        ]
        if let name = challenge.algorithmName { parts.append("algorithm=\(name)") }
        if let opaque = challenge.opaque { parts.append("opaque=\(quoted(opaque))") }
        if challenge.hasQuality { parts += ["qop=auth", "nc=\(number)"] }
        if challenge.hasQuality || algorithm.isSession { parts.append("cnonce=\"\(clientNonce)\"") }
        return "Digest " + parts.joined(separator: ", ")
    }

    /// A name that a quoted string cannot carry is encoded (RFC 8187).
    private var userParameter: String {
        user.utf8.allSatisfy { $0 < 0x80 }
            ? "username=\(quoted(user))" : "username*=UTF-8''\(PercentEncoding.encode(user))"
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
    }
}
