import TestSupport

#if os(Linux)
    import Foundation

    /// An authority and certificates signed by it, created with the `openssl` command.
    enum TestCertificates {
        /// The password of the client's encrypted private key.
        static let password = "open-sesame"

        /// Creates the files in a folder.
        ///
        /// The files are `authority.pem`; a copy of it in the folder `authorities`, named as OpenSSL expects;
        /// `other.pem`, an authority that has signed nothing; and a `.pem` and a `.key` file for each of `good` (for
        /// localhost and 127.0.0.1), `expired`, `elsewhere` (for another host) and `client`, whose key is encrypted.
        /// `good.pin` contains the hash of the public key of `good`.
        static func make(in folder: URL) throws {
            try Shell.run(script, in: folder)
        }

        private static let script = """
            set -e
            key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
            sign() { # name, host, alternative names, days
              key "$1"
              openssl req -new -key "$1.key" -subj "/CN=$2" -out "$1.csr"
              echo "subjectAltName=$3" > "$1.ext"
              openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key -CAcreateserial \
                -days "$4" -extfile "$1.ext" -out "$1.pem"
            }
            key authority
            openssl req -x509 -new -key authority.key -subj '/CN=Waybill test authority' -days 2 -out authority.pem
            mkdir authorities
            cp authority.pem "authorities/$(openssl x509 -in authority.pem -noout -hash).0"
            key other
            openssl req -x509 -new -key other.key -subj '/CN=Another authority' -days 2 -out other.pem
            sign good localhost DNS:localhost,IP:127.0.0.1 2
            sign expired localhost DNS:localhost,IP:127.0.0.1 -1
            sign elsewhere elsewhere.example DNS:elsewhere.example 2
            sign client client DNS:client 2
            openssl pkey -in client.key -aes-256-cbc -passout pass:\(password) -out client.encrypted
            mv client.encrypted client.key
            openssl x509 -in good.pem -noout -pubkey | openssl pkey -pubin -outform der \
              | openssl dgst -sha256 -binary | openssl base64 -A > good.pin
            """
    }
#endif
