/// Names whose values are secret without being declared so: of header fields, query items and keys of bodies, in lower
/// case.
package enum UsualSecrets {
    package static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api_key", "api-key", "apikey",
        "access_token", "refresh_token", "id_token", "token", "password", "passwd", "secret", "client_secret",
    ]
}
